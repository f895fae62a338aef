import '../ui/base.css';
import { createRoot } from 'react-dom/client';
import { phones } from './phones.ts';
import { Simulator } from './Simulator.tsx';

const root = document.getElementById('app');
if (root)
  createRoot(root).render(
    phones.length > 0 ? <Simulator /> : <p>No app is built yet: `npm run build` (`npm start` does it by itself).</p>,
  );
