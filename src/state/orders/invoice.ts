import * as t from '#text/history.ts';
import * as errors from '#text/errors.ts';
import { atom } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/orders.ts';
import { isHandedOver } from '../../domain/orders.ts';
import { saveFile } from '../../ui/saveFile.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom, profileAtom } from '../first/seams.ts';
import { popupAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';

/** By the order's id. invoiceMsg of the specification, section 3, is the toast, and what was refused the problem. */
const invoiceTasks = tasks<string>();

interface Invoiced {
  readonly orderId: string;
  readonly orderNumber: string;
  readonly orderType: contract.OrderView['orderType'];
  readonly orderStatus: contract.OrderView['orderStatus'];
}

/**
 * How it is with an order's invoice. `isOffered`: there is one, and a page here can give it to the customer: the webview
 * of a payment app keeps no file that a page makes.
 */
export const invoiceAtom = atom((get) => ({ orderId, orderStatus }: Pick<Invoiced, 'orderId' | 'orderStatus'>) => ({
  isOffered: FULL_MODE && get(profileAtom).fullMode && isHandedOver(orderStatus),
  isBusy: get(invoiceTasks.busyAtom) === orderId,
  refusal: get(invoiceTasks.problemsAtom)[orderId] ?? '',
}));

/**
 * Gets an order's invoice and hands it to the browser (specification section 8: the three ways it can end). @returns
 * whether it was handed over
 */
export const downloadInvoiceAtom = invoiceTasks.task(
  async (get, set, { orderId, orderNumber, orderType }: Invoiced) => {
    const file = await get(apiAtom).download(contract.download, {
      orderId,
      query: { wiOid: orderNumber, orderType },
    });
    saveFile(file, t.invoiceFile({ number: orderNumber }));
    set(toastMessageAtom, errors.invoiceDownloaded);
  },
  {
    as: ({ orderId }) => orderId,
    failed(_get, set, thrown, { orderId }) {
      const [first] = isFailure(thrown) && thrown.httpStatus === 400 ? thrown.errors : [];
      // showErrorPopUp of the specification, section 3: open exactly while the page's one popup says it.
      if (!first)
        return set(popupAtom, {
          header: errors.oops,
          message: errors.internalServerError,
          right: { label: errors.ok },
        });
      console.error(thrown);
      set(toastMessageAtom, first.displayMsg);
      return { [orderId]: first.displayMsg };
    },
  },
);
