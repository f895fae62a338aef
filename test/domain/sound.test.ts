import { expect, test } from 'vitest';
import { isIndian, soundOf } from '../../src/domain/sound.ts';

test.each(['মসলা', 'ਮਸਾਲਾ', 'મસાલા', 'ମସାଲା', 'மசாலா', 'మసాలా', 'ಮಸಾಲ', 'മസാല', 'මසාලා'])(
  '%s sounds like मसाला and masala, in whichever of India’s letters',
  (word) => {
    expect(isIndian(word)).toBe(true);
    expect([soundOf('masala').exact, soundOf(word).exact]).toEqual([soundOf('मसाला').exact, soundOf('मसाला').exact]);
  },
);
