import * as t from '#text/history.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { downloadInvoiceAtom, invoiceAtom } from '../../state/orders/invoice.ts';
import { Button, type ButtonProps } from '../../ui/forms/Button.tsx';

/** The invoice of an order as a file, where there is one and a page can give it. */
export default function InvoiceButton({
  order,
  ...look
}: {
  order: Pick<OrderView, 'orderId' | 'orderNumber' | 'orderType' | 'orderStatus'>;
} & Pick<ButtonProps, 'kind' | 'full' | 'small'>) {
  const { isOffered, isBusy, refusal } = useAtomValue(invoiceAtom)(order);
  const download = useSetAtom(downloadInvoiceAtom);
  if (!isOffered) return null;
  return (
    <>
      <Button {...look} busy={isBusy} onClick={() => void download(order)}>
        {t.invoice}
      </Button>
      {refusal !== '' && <p>{refusal}</p>}
    </>
  );
}
