import * as t from '#text/feedback.ts';
import * as help from '#text/help.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { FEEDBACK_MAX } from '../../domain/feedback.ts';
import { openVisitAtom, sayVisitAtom, visitDraftAtom, visitTasks, visitSaidAtom } from '../../state/after/feedback.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import { href } from '../../ui/href.ts';
import { Actions, Page } from '../../ui/page/Page.tsx';
import { showTop } from '../../ui/overlays/showTop.ts';
import { Stars } from '../../ui/forms/Stars.tsx';
import { SuccessPicture } from '../../ui/pictures/SuccessPicture.tsx';
import { TextArea } from '../../ui/forms/TextArea.tsx';
import { Counter } from './Counter.tsx';
import css from './Feedback.module.css';
import { showWrong } from '../base/showWrong.ts';

export const enter = atom(null, (_get, set) => set(openVisitAtom));

/** Feedback on a visit or an order by phone; without a network it is sent later. */
export default function VisitScreen() {
  const [draft, setDraft] = useAtom(visitDraftAtom);
  const problems = useAtomValue(visitTasks.problemsAtom);
  const said = useAtomValue(visitSaidAtom);
  const say = useSetAtom(sayVisitAtom);
  const isSending = useAtomValue(visitTasks.isBusyAtom);
  const submit = async () => {
    if (await say()) return showTop();
    showWrong();
  };
  return (
    <>
      <AppBar title={t.visitTitle} back={{ label: help.backToHelp, href: href('/help') }} />
      <Page>
        <div role="status">
          {said !== '' && (
            <EmptyState
              picture={<SuccessPicture />}
              title={t.thanksTitle}
              action={<Button href={href('/menu')}>{t.seeMenu}</Button>}
            >
              <p>{said === 'SENT' ? t.visitSent : t.visitWaits}</p>
            </EmptyState>
          )}
        </div>
        {said === '' && (
          <form
            className={css.form}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <p>{t.visitIntro}</p>
            <Stars
              legend={t.visitRating}
              value={draft.rating}
              onChange={(rating) => setDraft((before) => ({ ...before, rating }))}
            />
            <TextArea
              label={t.visitExperience}
              error={problems.experience}
              hint={<Counter text={draft.experience} max={FEEDBACK_MAX} />}
              value={draft.experience}
              onChange={({ target }) => setDraft((before) => ({ ...before, experience: target.value }))}
            />
            <PhoneField
              label={t.mobile}
              hint={t.mobileHint}
              error={problems.mobile}
              value={draft.mobile}
              onChange={({ target }) => setDraft((before) => ({ ...before, mobile: target.value }))}
            />
            <Actions>
              <Button full type="submit" busy={isSending}>
                {t.send}
              </Button>
            </Actions>
          </form>
        )}
      </Page>
    </>
  );
}
