/** Screens that show the order under way themselves: no strip says it there. */
export const ITS_OWN = /^\/(order\/|payment\/|track\/|upiForm|paytmForm)/;
/** Those of its payment. */
export const PAYING = /^\/(payment\/|upiForm|paytmForm)/;
