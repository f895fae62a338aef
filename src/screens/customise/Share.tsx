import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { canShareAtom, shareAtom } from '../../state/base/share.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { ShareIcon } from '../../ui/pictures/icons.ts';

/** A button that shares the dish; nothing where the host cannot share. */
export function Share({
  item,
}: {
  item: { readonly id: string; readonly name: string; readonly description: string };
}) {
  const canShare = useAtomValue(canShareAtom);
  const share = useSetAtom(shareAtom);
  if (!canShare) return null;
  return (
    <IconButton
      label={t.share({ name: item.name })}
      onClick={() => void share({ title: item.name, text: item.description, path: `/customise/${item.id}` })}
    >
      <ShareIcon size={20} />
    </IconButton>
  );
}
