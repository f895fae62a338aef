import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import {
  hostAddressMessageAtom,
  isHostPickerOfferedAtom,
  pickerQuestion,
  pickHostAddressAtom,
} from '../../state/places/places.ts';
import { Card } from '../../ui/page/Card.tsx';
import { WalletIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import css from './LocationScreen.module.css';

export function HostPicker() {
  const isOffered = useAtomValue(isHostPickerOfferedAtom);
  const message = useAtomValue(hostAddressMessageAtom);
  const pick = useSetAtom(pickHostAddressAtom);
  const asked = useAtomValue(pickerQuestion.atom);
  const isSilent = asked === 'silent';
  if (!isOffered && !message) return null;
  return (
    <Card flush>
      {isOffered && (
        <ListRow
          icon={<WalletIcon />}
          title={isSilent ? t.pickerAgain : asked === 'asked' ? t.pickerOpening : t.picker}
          detail={isSilent ? t.pickerSilent : t.pickerDetail}
          onClick={() => void pick()}
        />
      )}
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </Card>
  );
}
