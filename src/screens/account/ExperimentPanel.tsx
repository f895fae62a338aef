import * as t from '#text/experiments.ts';
import { useAtomValue } from 'jotai';
import { decisionsAtom } from '../../state/telemetry/experiments.ts';
import { href } from '../../ui/href.ts';
import css from './ExperimentPanel.module.css';

/** Says over every page what a link has forced, so that nobody takes it for what customers see. */
export default function ExperimentPanel() {
  const forced = useAtomValue(decisionsAtom).filter(({ isForced }) => isForced);
  const list = forced.map(({ key, value }) => `${key}: ${value ?? ''}`).join(', ');
  return (
    <a className={css.panel} href={href('/experiments')}>
      {t.panel({ list })}
    </a>
  );
}
