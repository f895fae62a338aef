import * as t from '#text/alive.ts';
import { useEffect, useState } from 'react';
import { Button } from './forms/Button.tsx';

/** Speaks a text in the page's language. Renders nothing where the browser cannot speak. */
export function ReadAloud({ text, label }: { text: string; label: string }) {
  const [isSpeaking, setSpeaking] = useState(false);
  const speech = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  useEffect(() => () => globalThis.speechSynthesis?.cancel(), []);
  if (!speech) return null;
  const speak = () => {
    speech.cancel();
    if (isSpeaking) return setSpeaking(false);
    const saying = new SpeechSynthesisUtterance(text);
    saying.lang = document.documentElement.lang || 'en';
    saying.onend = () => setSpeaking(false);
    saying.onerror = () => setSpeaking(false);
    setSpeaking(true);
    speech.speak(saying);
  };
  return (
    <Button full kind="quiet" onClick={speak} aria-pressed={isSpeaking}>
      {isSpeaking ? t.stopReading : label}
    </Button>
  );
}
