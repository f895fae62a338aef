import css from './Trains.module.css';

/** A train in a station, and a pizza at its door. */
export function TrainPicture() {
  return (
    <svg className={css.picture} viewBox="0 0 320 130" aria-hidden>
      <ellipse cx="160" cy="117" rx="148" ry="9" fill="#7a4a1a" fillOpacity=".14" />
      <path d="M10 106h300" stroke="#97806b" strokeWidth="3" />
      <path d="M18 111h284" stroke="#97806b" strokeWidth="3" strokeDasharray="2 12" />
      <path d="M36 26h190c28 0 50 26 58 58 1 5-2 10-8 10H36c-5 0-9-4-9-9V35c0-5 4-9 9-9z" fill="#0066a7" />
      <path d="M27 70h254l3 14c1 5-2 10-8 10H36c-5 0-9-4-9-9z" fill="#f6b331" />
      <path d="M238 38c13 5 23 17 29 30h-29z" fill="#e7f2fa" />
      <path d="M44 38h30v22H44zM84 38h30v22H84zM182 38h30v22h-30z" fill="#e7f2fa" />
      <path d="M130 36h34v56h-34z" fill="#fff8ef" />
      <path d="M130 36h34v56h-34z" stroke="#2a1b10" strokeOpacity=".25" strokeWidth="2" />
      <circle cx="66" cy="99" r="8" fill="#2a1b10" />
      <circle cx="104" cy="99" r="8" fill="#2a1b10" />
      <circle cx="196" cy="99" r="8" fill="#2a1b10" />
      <circle cx="236" cy="99" r="8" fill="#2a1b10" />
      <path d="M126 70h42l5 26c0 3-2 4-4 4h-44c-2 0-4-1-4-4z" fill="#cf9653" />
      <ellipse cx="147" cy="70" rx="25" ry="8" fill="#b8712c" />
      <ellipse cx="147" cy="69" rx="22" ry="6.4" fill="#f8d071" />
      <path d="M138 68h0M150 71h0M158 67h0" stroke="#c43c2b" strokeWidth="6" />
      <path d="M136 56q5-6 0-12M148 54q5-6 0-12M160 56q5-6 0-12" stroke="#b9772f" strokeWidth="3" />
    </svg>
  );
}
