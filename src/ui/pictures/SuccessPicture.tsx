import css from './Illustration.module.css';

/** A margherita, which everybody eats, with a tick: it worked. */
export function SuccessPicture() {
  return (
    <svg className={css.picture} viewBox="0 0 200 150" aria-hidden>
      <ellipse cx="100" cy="136" rx="66" ry="9" fill="#7a4a1a" fillOpacity=".14" />
      <circle cx="100" cy="74" r="58" fill="#b8712c" />
      <circle cx="100" cy="73" r="56" fill="#e3a856" />
      <circle cx="100" cy="73" r="46" fill="#c23a22" />
      <circle cx="100" cy="73" r="43.5" fill="#f8d071" />
      <path d="M78 52h0M122 50h0M70 84h0M130 88h0M100 106h0" stroke="#fff6e2" strokeWidth="17" />
      <path
        d="M96 42q10-6 12 5M86 64q-11 0-10 9M118 68q10 2 7 12M94 84q10-5 13 5M112 100q9 1 8 9"
        stroke="#3f8a33"
        strokeWidth="6"
      />
      <circle cx="148" cy="108" r="24" fill="#fff" />
      <circle cx="148" cy="108" r="20" fill="#65ab0b" />
      <path d="M139 108l6.5 6.5L158 102" stroke="#fff" strokeWidth="5" />
      <path d="M30 40l8 5M24 66h9M170 36l-8 6M36 20l4 7M160 18l-3 7" stroke="#f6b331" strokeWidth="4" />
    </svg>
  );
}
