import { Button } from '../ui/forms/Button.tsx';
import { Choice, Plate, Rare, Select } from './Plate.tsx';
import { ACCOUNTS, phones, type Phone } from './phones.ts';
import { CALM, SHEETS } from './protocol.ts';
import { isRunning, type PhoneActions, type PhoneState } from './usePhones.ts';
import css from './Panel.module.css';

/** In the middle of the ocean: no shop of any country is near. */
const FAR_AWAY = { latitude: -10, longitude: 80 };
const LATE_MS = 3_000;

interface PhonePlateProps {
  readonly phone: Phone;
  readonly state: PhoneState;
  readonly actions: PhoneActions;
  readonly onChoose: (id: string) => void;
}
type Options = readonly (readonly [string, string])[];

/** Switches of one phone and of the payment app on it. */
export function PhonePlate({ phone, state, actions, onChoose }: PhonePlateProps) {
  const { app, country } = phone;
  const { controls, asks, scenarios } = state;
  const hostName = app?.name ?? 'the browser';
  /** A control of the imitated host with the values that it can have. */
  const control = (name: string, legend: string, options: Options, hint?: string) => (
    <Choice
      key={name}
      legend={legend}
      hint={hint}
      options={options}
      value={String(controls[name])}
      onChange={(value) => actions.set({ [name]: value })}
    />
  );
  return (
    <Plate title="This phone" about="Tap a phone, or choose it here. These switches are for that one alone.">
      <Select
        label="Phone"
        value={phone.id}
        onChange={onChoose}
        groups={{ '': phones.map((one) => [one.id, one.name]) }}
      />
      {scenarios.length > 0 && (
        <Select
          label="Scenario"
          value={state.scenario}
          onChange={actions.play}
          groups={Object.fromEntries(
            scenarios.map(({ group }) => [
              group,
              scenarios.filter((one) => one.group === group).map(({ name, title }) => [name, title]),
            ]),
          )}
        />
      )}
      {isRunning(state) && !state.isLoading && !state.isConnected && !state.isBroken && (
        <p className={css.warning} role="status">
          This phone runs without its imitated host, so its switches do nothing. Reload it, or start the server outside
          production.
        </p>
      )}
      {control(
        'networkType',
        'Network',
        [
          ['wifi', 'Wi-Fi'],
          ['4g', '4G'],
          ['3g', '3G'],
          ['2g', '2G'],
          ['none', 'None'],
        ],
        'A call takes 0.4 seconds longer by 3G, 2 seconds by 2G.',
      )}
      {app !== null && (
        <>
          <Select
            label={`Signed in to ${hostName} as`}
            value={state.user}
            onChange={actions.signIn}
            groups={{ '': [...ACCOUNTS] }}
          />
          <Choice
            legend="Consent to share the profile"
            value={controls['consented'] === true ? 'given' : 'ask'}
            onChange={(value) => actions.set({ consented: value === 'given' })}
            options={[
              ['ask', 'Asked for'],
              ['given', 'Given before'],
            ]}
          />
          <Choice
            legend="Bridge of the payment app"
            value={String(controls['ready'])}
            onChange={(ready) => actions.setAndReopen({ ready, readyAfterMs: ready === 'late' ? LATE_MS : 0 })}
            options={[
              ['before', 'There'],
              ['late', '3 s late'],
              ['never', 'Never'],
            ]}
            hint="The app talks to its host through it. Changing it opens the app again."
          />
        </>
      )}
      <Choice
        legend="When the phone asks for something"
        value={asks ? 'me' : 'itself'}
        onChange={(value) => actions.setAsks(value === 'me')}
        options={[
          ['me', 'I answer'],
          ['itself', 'By itself'],
        ]}
      />
      {!asks && app !== null && (
        <>
          {control('login', 'Login', [
            ['grant', 'Shares'],
            ['deny', 'Refuses'],
          ])}
          <Select
            label="Payment"
            value={String(controls['payment'])}
            onChange={(payment) => actions.set({ payment })}
            groups={{ '': Object.entries(SHEETS.payment.choices) }}
          />
        </>
      )}
      {!asks &&
        control('location', 'Location', [
          ['grant', 'Allows'],
          ['deny', 'Refuses'],
          ['timeout', 'Silence'],
        ])}
      <div>
        <Rare title="Place and memory">
          <Choice
            legend="Where the phone is"
            value={controls['position'] === FAR_AWAY ? 'far' : 'city'}
            onChange={(value) => actions.set({ position: value === 'far' ? FAR_AWAY : country.mapCentre })}
            options={[
              ['city', 'In the city'],
              ['far', 'At sea, no shop near'],
            ]}
          />
          {control('storage', 'Storage of the phone', [
            ['works', 'Works'],
            ['full', 'Full'],
            ['throws', 'Locked'],
          ])}
          <Button kind="danger" small onClick={actions.erase}>
            Erase the app’s data on this phone
          </Button>
        </Rare>
        {app !== null && (
          <Rare title={`When ${hostName} misbehaves`}>
            {control('reply', 'Its answers', [
              ['none', 'Good'],
              ['never', 'Missing'],
              ['twice', 'Twice'],
              ['truncated', 'Cut off'],
            ])}
            {app.switches.map(({ control: name, legend, hint, choices }) =>
              control(
                name,
                legend,
                choices.map(({ value, text }) => [value, text] as const),
                hint,
              ),
            )}
          </Rare>
        )}
        <Rare title="What the phone was asked">
          <ol className={css.log}>
            {state.log.length === 0 && <li>Nothing yet: logins, payments, locations and vibrations appear here.</li>}
            {state.log.map((line, at) => (
              <li key={state.log.length - at}>{line}</li>
            ))}
          </ol>
        </Rare>
      </div>
      {state.scenario !== CALM && <p>A scenario is played: sheets answer themselves.</p>}
    </Plate>
  );
}
