import { useAtom } from 'jotai';
import { Popup } from '../ui/Popup.tsx';
import { useHostBack } from './back.ts';
import { popupAtom } from '../state/popup.ts';

/** The generic popup. Loaded when the first one is shown. */
export default function Popups({ closeOnOutside }: { closeOnOutside: boolean }) {
  const [content, setContent] = useAtom(popupAtom);
  const close = () => setContent(null);
  useHostBack(content !== null, close);
  if (!content) return null;
  const button = (one: { label: string; act?: () => void } | undefined) =>
    one && { text: one.label, onPress: () => { close(); one.act?.(); } };
  return (
    <Popup
      header={content.header}
      message={content.message}
      secondMessage={content.second ?? (content.reference && <small>Reference {content.reference}</small>)}
      left={button(content.left)}
      right={button(content.right)}
      closeOnOutside={closeOnOutside}
      onClose={close}
    />
  );
}
