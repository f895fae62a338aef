/** Small things are drawn as one path of strokes per kind instead of one node per piece; width is a share of the topping's size. */
export const BITS: Record<string, { width: number; shine?: boolean; stroke: (x: number, y: number) => string }> = {
  dot: { width: 0.8, shine: true, stroke: (x, y) => `l${(x * 0.5).toFixed(1)} ${(y * 0.5).toFixed(1)}` },
  crumb: { width: 0.62, shine: true, stroke: (x, y) => `l${x.toFixed(1)} ${y.toFixed(1)}` },
  flake: { width: 0.34, stroke: (x, y) => `l${(x * 2.2).toFixed(1)} ${(y * 2.2).toFixed(1)}` },
};

/** What lies under what. */
export const RANK: Record<string, number> = { melt: 0, disc: 1, cap: 2, chunk: 3, cube: 3, wedge: 3, ring: 4, hook: 5, strip: 5, crumb: 6, leaf: 7, dot: 8, flake: 9 };

const SHADE = '#2a0d00';
const CHUNK = 'M-9-1C-9-7-4-9 2-8.5S10-4 9 2 5 8.5-1 8-9 5-9-1z';
const LEAF = 'M-10 3C-7-6 2-9 10-4 7 5-2 9-10 3z';
const CAP = 'M-9.5-1C-9-9.5 9-9.5 9.5-1 9.5 2 5 2.5 3 1.8L3.5 7C3.5 9.5-3.5 9.5-3.5 7L-3 1.8C-5 2.5-9.5 2-9.5-1z';
const WEDGE = 'M-9.5 4L-3-8C-2-9.5 2-9.5 3-8L9.5 4C6 9-6 9-9.5 4z';
const BLOB = 'M-10 0C-10-6-4-10 2-8.5S11-4 9.5 2 3 7 0 9-10 6-10 0z';
const STRIP = 'M-9 3.5C-6-5 4-6 9 1';
const HOOK = 'M7-6C0-10-8-6-8 1S0 9 5 5';

/** One piece, 20 units wide around the origin; colours come in as --c (flesh) and --e (edge). */
export function PieceShape({ shape }: { shape: string }) {
  switch (shape) {
    case 'ring':
      return (
        <>
          <circle r="7" cy="1.5" stroke={SHADE} strokeOpacity=".4" strokeWidth="6.5" />
          <circle r="7" stroke="var(--e)" strokeWidth="6" />
          <circle r="7" stroke="var(--c)" strokeWidth="3.8" />
          <path d="M-7-2A7 7 0 0 1 1-7" stroke="#fff" strokeOpacity=".6" strokeWidth="1.4" />
        </>
      );
    case 'strip':
      return (
        <>
          <path d={STRIP} stroke={SHADE} strokeOpacity=".4" strokeWidth="6" transform="translate(0 1.5)" />
          <path d={STRIP} stroke="var(--e)" strokeWidth="5.2" />
          <path d={STRIP} stroke="var(--c)" strokeWidth="3.8" />
          <path d="M-7 0C-4-4.5 2-5 6-2" stroke="#fff" strokeOpacity=".5" strokeWidth="1.2" />
        </>
      );
    case 'hook':
      return (
        <>
          <path d={HOOK} stroke={SHADE} strokeOpacity=".4" strokeWidth="7.5" transform="translate(0 1.5)" />
          <path d={HOOK} stroke="var(--e)" strokeWidth="6.8" />
          <path d={HOOK} stroke="var(--c)" strokeWidth="5" />
          <path d="M2-6.5L0-10M-4-5L-7-8M-6 1h-4M-3 6l-3 3M3 7l1 3" stroke="#fff" strokeOpacity=".55" strokeWidth="1.3" />
          <path d="M6 4l4-3M6 5l5 2" stroke="var(--e)" strokeWidth="2.4" />
        </>
      );
    case 'cube':
      return (
        <>
          <rect x="-8.5" y="-5.5" width="17" height="15" rx="2.5" fill={SHADE} fillOpacity=".4" />
          <rect x="-8" y="-7" width="16" height="15" rx="2.5" fill="var(--e)" />
          <rect x="-8" y="-8.5" width="16" height="13.5" rx="2.5" fill="var(--c)" />
          <path d="M-5-4l9 7M0-7l6 5" stroke="var(--e)" strokeOpacity=".55" strokeWidth="1.8" />
          <path d="M-5.5-6.3h6" stroke="#fff" strokeOpacity=".7" strokeWidth="1.4" />
        </>
      );
    case 'melt':
      return (
        <>
          <path d={BLOB} fill="var(--c)" fillOpacity=".9" stroke="var(--e)" strokeOpacity=".3" />
          <path d="M-5-3C-4-6 0-7 3-6" stroke="#fff" strokeOpacity=".7" strokeWidth="2.4" />
          <path d="M3 3h0M-4 4h0" stroke="#b3641a" strokeOpacity=".35" strokeWidth="3" />
        </>
      );
    case 'leaf':
      return (
        <>
          <path d={LEAF} fill={SHADE} fillOpacity=".4" transform="translate(.4 1.6)" />
          <path d={LEAF} fill="var(--c)" stroke="var(--e)" />
          <path d="M-9 3C-3 1 3-2 9-3.8M-3 1l1-4M1-.6l2-4M-1 .4l3 3M3-1.8l3 2" stroke="#e9ffd0" strokeOpacity=".5" />
        </>
      );
    case 'disc':
      return (
        <>
          <circle r="10" cy="1.6" fill={SHADE} fillOpacity=".4" />
          <circle r="10" fill="var(--e)" />
          <circle r="8.6" fill="var(--c)" />
          <path d="M-3 3.5h0M4-1h0M2 5.5h0M-1-3.5h0M-5 0h0M4.5 3h0" stroke="var(--e)" strokeOpacity=".6" strokeWidth="1.9" />
          <circle r="4.8" fill="#f4b22e" stroke="#fff6d8" style={{ opacity: 'var(--yolk)' }} />
          <path d="M-6.5-3A7 7 0 0 1 1-7" stroke="#fff" strokeOpacity=".55" strokeWidth="1.6" />
        </>
      );
    default: {
      const outline = shape === 'cap' ? CAP : shape === 'wedge' ? WEDGE : CHUNK;
      const marks = shape === 'cap' ? 'M-6-1C-4 1 4 1 6-1M0 2v4' : shape === 'wedge' ? 'M-4 4L-1-5M4 4L1-5M0 5v-7' : 'M-5-3l4 7M-.5-5l5 8M4-5l2.5 4';
      return (
        <>
          <path d={outline} fill={SHADE} fillOpacity=".4" transform="translate(.3 1.8)" />
          <path d={outline} fill="var(--e)" />
          <path d={outline} fill="var(--c)" transform="translate(-.2 -.7)scale(.87)" />
          <path d={marks} stroke="var(--e)" strokeOpacity=".65" strokeWidth="1.5" />
          <path d="M-5.5-4C-4-6.5 0-7 3-6" stroke="#fff" strokeOpacity=".45" strokeWidth="1.5" />
        </>
      );
    }
  }
}
