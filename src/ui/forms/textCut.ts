import * as errors from '#text/errors.ts';
import { useState, type ClipboardEvent, type DragEvent, type FormEvent, type InputEvent } from 'react';

type Box = HTMLInputElement | HTMLTextAreaElement;

/**
 * Handlers for a field with `maxLength`, and the sentence to show below it once a text did not fit. The browser itself
 * says nothing: it silently drops the characters beyond `maxLength` of what the customer types, pastes or drops there.
 */
export function useTextCut(maxLength: number | undefined) {
  const [isCut, setCut] = useState(false);
  const added = ({ value, selectionStart, selectionEnd }: Box, text: string, isReplacing = true) => {
    const kept = value.length - (isReplacing ? (selectionEnd ?? 0) - (selectionStart ?? 0) : 0);
    setCut(maxLength !== undefined && kept + text.length > maxLength);
  };
  return {
    cut: isCut ? errors.textCut({ count: maxLength ?? 0 }) : undefined,
    watched: {
      // The data of React's event: in Firefox it comes from a key press, and the native event has none.
      onBeforeInput: (event: InputEvent<Box>) => added(event.currentTarget, event.data),
      onPasteCapture: (event: ClipboardEvent<Box>) => added(event.currentTarget, event.clipboardData.getData('text')),
      // A dropped text goes to where the pointer is, whatever is selected.
      onDropCapture: (event: DragEvent<Box>) => added(event.currentTarget, event.dataTransfer.getData('text'), false),
      onInput: (event: FormEvent<Box>) => {
        if (event.currentTarget.value.length < (maxLength ?? 0)) setCut(false);
      },
    },
  };
}
