const COLOURS = ['#65ab0b', '#dc4e41', '#0066a7', '#f6b331', '#fff1d0'];

/**
 * A short shower of confetti from the top of `place`. Does nothing where motion is unwanted or cannot be animated.
 * Cleans up after itself.
 */
export function confetti(place: HTMLElement, pieces = 44): void {
  if (!place.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const layer = document.createElement('div');
  layer.ariaHidden = 'true';
  layer.style.cssText = 'position:fixed;inset:0;overflow:hidden;pointer-events:none;z-index:9999';
  place.append(layer);
  let left = pieces;
  for (let i = 0; i < pieces; i++) {
    const piece = document.createElement('i');
    const size = 6 + Math.random() * 7;
    piece.style.cssText = `position:absolute;top:-20px;left:${Math.random() * 100}%;width:${size}px;height:${size * (i % 3 ? 0.5 : 1)}px;border-radius:${i % 3 ? 1 : 50}px;background:${COLOURS[i % COLOURS.length]}`;
    layer.append(piece);
    const drift = (Math.random() - 0.5) * 160;
    void piece
      .animate(
        [
          { transform: 'none', opacity: 1 },
          { transform: `translate(${drift}px,80vh) rotate(${Math.random() * 900}deg)`, opacity: 0 },
        ],
        {
          duration: 1600 + Math.random() * 1400,
          delay: Math.random() * 350,
          easing: 'cubic-bezier(.2,.5,.6,1)',
          fill: 'both',
        },
      )
      .finished.finally(() => --left || layer.remove());
  }
}
