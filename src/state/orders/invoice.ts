import * as t from '#text/history.ts';
import * as errors from '#text/errors.ts';
import { atom } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/orders.ts';
import { isHandedOver } from '../../domain/orders.ts';
import { saveFile } from '../../ui/saveFile.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom, profileAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { popupAtom } from '../base/popup.ts';

interface Said {
  readonly orderId: string;
  /** invoiceMsg of the specification, section 3: what became of the last download. */
  readonly message: string;
  readonly isRefused: boolean;
}
const NOTHING: Said = { orderId: '', message: '', isRefused: false };
const saidAtom = customerAtom<Said>(NOTHING);
const busyAtom = customerAtom('');

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
export const invoiceAtom = atom((get) => ({ orderId, orderStatus }: Pick<Invoiced, 'orderId' | 'orderStatus'>) => {
  const said = get(saidAtom);
  return {
    isOffered: FULL_MODE && get(profileAtom).fullMode && isHandedOver(orderStatus),
    isBusy: get(busyAtom) === orderId,
    refusal: said.orderId === orderId && said.isRefused ? said.message : '',
  };
});

/**
 * Gets an order's invoice and hands it to the browser (specification section 8: the three ways it can end). @returns
 * whether it was handed over
 */
export const downloadInvoiceAtom = atom(null, async (get, set, order: Invoiced): Promise<boolean> => {
  const { orderId, orderNumber, orderType } = order;
  if (get(busyAtom) !== '') return false;
  set(busyAtom, orderId);
  set(saidAtom, NOTHING);
  const say = (message: string, isRefused: boolean) => {
    set(saidAtom, { orderId, message, isRefused });
    set(toastMessageAtom, message);
  };
  try {
    const file = await get(apiAtom).download(contract.download, {
      orderId,
      query: { wiOid: orderNumber, orderType },
    });
    saveFile(file, t.invoiceFile({ number: orderNumber }));
    say(errors.invoiceDownloaded, false);
    return true;
  } catch (thrown) {
    const [first] = isFailure(thrown) && thrown.httpStatus === 400 ? thrown.errors : [];
    if (first) {
      console.error(thrown);
      say(first.displayMsg, true);
    } else {
      // showErrorPopUp of the specification, section 3: open exactly while the page's one popup says it.
      set(popupAtom, { header: errors.oops, message: errors.internalServerError, right: { label: errors.ok } });
    }
    return false;
  } finally {
    set(busyAtom, '');
  }
});
