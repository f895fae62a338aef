import css from './Illustration.module.css';

/** A fallen slice: something did not work. */
export function FailedPicture() {
  return (
    <svg className={css.picture} viewBox="0 0 200 150" aria-hidden>
      <ellipse cx="100" cy="132" rx="76" ry="11" fill="#7a4a1a" fillOpacity=".14" />
      <g transform="rotate(14 100 80)">
        <path d="M46 40q54-26 108 0l8 14q-62-28-124 0z" fill="#c47f36" />
        <path d="M43 47q57-24 114 0l5 8q-62-28-124 0z" fill="#e7b267" />
        <path d="M42 55q58-24 116 0L103 128q-4 5-8 0z" fill="#f8d071" />
        <path d="M42 55q58-24 116 0l-4 6q-54-22-108 0z" fill="#c23a22" />
        <path d="M58 76l8 10q2 16 6 4l6 8 17 30q4 5 8 0l12-16q3 14 6-6l20-28" fill="#f8d071" />
        <circle cx="84" cy="68" r="10" fill="#b33324" />
        <circle cx="118" cy="66" r="11" fill="#b33324" />
        <circle cx="101" cy="96" r="9" fill="#b33324" />
        <path d="M78 63q3-4 8-3M111 61q4-4 9-2" stroke="#fff" strokeOpacity=".5" strokeWidth="2.5" />
        <path d="M92 116q8-7 16 0M90 83h0M112 83h0" stroke="#5a2410" strokeWidth="4" />
      </g>
      <path d="M28 52l12 6M24 78h13M172 52l-12 6M176 78h-13" stroke="#dc4e41" strokeWidth="4" />
    </svg>
  );
}
