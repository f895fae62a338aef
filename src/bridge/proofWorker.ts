import type { Challenge } from '../contract/challenge.ts';
import { search } from '../domain/proofOfWork.ts';

// The build makes `proof.js` of this, beside the pages: the work of a challenge, off the page's own thread.
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  postMessage(search(data, 0, Infinity).n);
});
