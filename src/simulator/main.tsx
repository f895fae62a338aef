import '../ui/base.css';
import { createRoot } from 'react-dom/client';
import { Simulator } from './Simulator.tsx';

const root = document.getElementById('app');
if (root) createRoot(root).render(<Simulator />);
