import css from './AppMark.module.css';

const TONES = ['blue', 'lime', 'sun', 'red'] as const;

/** Up to two letters: "State Bank of India" is SB, "HDFC Bank" is H, "bKash" is b. */
function lettersOf(name: string): string {
  const words = name
    .replace(/ Bank$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /^[\p{Lu}\p{N}]/u.test(word));
  const letters = words.map((word) => [...word][0]).slice(0, 2);
  return letters.join('') || (name[0] ?? '');
}

/** Our own mark for an app or a bank: its letters on a tile, never its artwork. */
export function AppMark({ name, size = 28 }: { name: string; size?: number }) {
  const letters = lettersOf(name);
  const tone = TONES[[...name].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 997, 7) % TONES.length];
  return (
    <svg className={css.mark} data-tone={tone} viewBox="0 0 28 28" width={size} height={size} aria-hidden="true">
      <rect width="28" height="28" rx="8" />
      <text x="14" y="14" dominantBaseline="central" textAnchor="middle" fontSize={letters.length > 1 ? 12 : 15}>
        {letters}
      </text>
    </svg>
  );
}
