import css from './Illustration.module.css';

/** An empty box waiting for a pizza: nothing in the cart, nothing found. */
export default function EmptyBox() {
  return (
    <svg className={css.picture} viewBox="0 0 200 150" aria-hidden>
      <ellipse cx="100" cy="132" rx="82" ry="11" fill="#7a4a1a" fillOpacity=".14" />
      <path d="M40 20h120l10 62H30z" fill="#e2b070" />
      <path d="M48 27h104l8 48H40z" fill="#f2cf9c" />
      <path d="M22 82h156l-10 44c-1 4-3 5-6 5H38c-3 0-5-1-6-5z" fill="#cf9653" />
      <path d="M30 82h140l-12 22H42z" fill="#9a6329" />
      <ellipse cx="100" cy="93" rx="44" ry="8" fill="#7f4e1d" />
      <path d="M78 91h0M118 95h0M100 89h0M90 97h0M128 91h0" stroke="#e8b968" strokeWidth="4" />
      <path d="M86 45q6-8 14 0t14 0M92 62h16" stroke="#b9772f" strokeWidth="3" />
      <path d="M42 116h116" stroke="#b57b3a" strokeWidth="2" strokeDasharray="1 8" />
    </svg>
  );
}
