import * as orderText from '#text/order.ts';
import * as t from '#text/trains.ts';
import { useSetAtom } from 'jotai';
import type { TrainOrder } from '../../contract/trainOrder.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { removeTrainAtom } from '../../state/trains/trainOrders.ts';

/** Asks whether a train order shall really be taken back. */
export function useCancelTrain() {
  const setPopup = useSetAtom(popupAtom);
  const remove = useSetAtom(removeTrainAtom);
  return (train: TrainOrder): void =>
    setPopup({
      header: orderText.cancelAsk,
      // What is not paid yet does not come back.
      ...(train.state === 'UNPAID'
        ? { message: train.cancel.rule }
        : { message: t.deleteText, second: train.cancel.rule }),
      left: { label: orderText.cancelNot },
      right: {
        label: t.cancelThis,
        isDestructive: true,
        act: () => {
          void remove(train);
        },
      },
    });
}
