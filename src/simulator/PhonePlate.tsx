import { UserIcon } from '../ui/icons.ts';
import { Choice } from './Choice.tsx';
import { Plate, Rare } from './Plate.tsx';
import { ACCOUNTS, phones, type Phone } from './phones.ts';
import { Select } from './Select.tsx';
import { CALM, calm, type Choice as Answer } from './protocol.ts';
import { scenarioOf, type PhoneActions, type PhoneState } from './usePhones.ts';
import css from './PhonePlate.module.css';

/** In the middle of the ocean: no shop of any country is near. */
const FAR_AWAY = { latitude: -10, longitude: 80 };
const LATE_MS = 3_000;

const PAYMENT: readonly (readonly [Answer<'payment'>, string])[] = [
  ['success', 'Pays'],
  ['failure', 'Declines'],
  ['pending', 'Leaves it pending'],
  ['cancel', 'Closes the sheet'],
  ['no-reply', 'Pays, the app hears nothing'],
  ['duplicate', 'Pays, the app hears it twice'],
  ['unknown', 'Pays, the reply is unclear'],
  ['closed', 'Closes it, the app hears nothing'],
  ['late', 'Pays, the app hears it late'],
];

interface PhonePlateProps {
  readonly phone: Phone;
  readonly state: PhoneState;
  readonly actions: PhoneActions;
  readonly onChoose: (id: string) => void;
}

/** Switches of one phone and of the payment app on it. */
export function PhonePlate({ phone, state, actions, onChoose }: PhonePlateProps) {
  const { id, app } = phone;
  const { controls, own, asks } = state;
  const isMini = app !== null;
  const hostName = app?.name ?? 'the browser';
  const position = controls.position.latitude === FAR_AWAY.latitude ? 'far' : 'city';
  return (
    <Plate
      id="phone"
      icon={<UserIcon size={20} />}
      title="This phone"
      about="Tap a phone, or choose it here. These switches are for that one alone."
    >
      <Select label="Phone" value={id} onChange={onChoose} options={phones.map((one) => [one.id, one.name])} />
      {state.scenarios.length > 0 && (
        <div className={css.scenario}>
          <Select
            label="Scenario"
            value={state.scenario}
            onChange={(name) => actions.play(id, name)}
            options={
              new Map(
                [...new Set(state.scenarios.map(({ group }) => group))].map((group) => [
                  group,
                  state.scenarios.filter((one) => one.group === group).map(({ name, title }) => [name, title] as const),
                ]),
              )
            }
          />
          <p className={css.none}>
            {state.scenario === CALM
              ? `${state.scenarios.length - 1} ways in which phones and ${hostName} have failed apps, to be played from the start.`
              : `${scenarioOf(state)}. The app was opened again to play it, and sheets answer themselves.`}
          </p>
        </div>
      )}
      {state.power === 'on' && !state.isLoading && !state.isConnected && !state.isBroken && (
        <p className={css.warning} role="status">
          This phone runs without its imitated host, so its switches do nothing. Reload it, or start the server outside
          production.
        </p>
      )}
      <Choice
        legend="Network"
        value={controls.networkType}
        onChange={(networkType) => actions.set(id, { networkType })}
        options={[
          { value: 'wifi', text: 'Wi-Fi' },
          { value: '4g', text: '4G' },
          { value: '3g', text: '3G' },
          { value: '2g', text: '2G' },
          { value: 'none', text: 'None' },
        ]}
        hint={
          {
            wifi: 'Fast, and free of charge.',
            '4g': 'Fast.',
            '3g': 'Every call takes 0.4 seconds longer.',
            '2g': 'Every call takes 2 seconds longer.',
            none: 'A tunnel: no call gets through.',
          }[controls.networkType]
        }
      />
      {isMini && (
        <>
          <Select
            label={`Signed in to ${hostName} as`}
            value={state.user}
            onChange={(user) => actions.signIn(id, user)}
            options={ACCOUNTS.map((account) => [account.id, account.name])}
          />
          <Choice
            legend="Consent to share the profile"
            value={controls.consented ? 'given' : 'ask'}
            onChange={(value) => actions.set(id, { consented: value === 'given' })}
            options={[
              { value: 'ask', text: 'Asked for' },
              { value: 'given', text: 'Given before' },
            ]}
          />
          <Choice
            legend="Bridge of the payment app"
            value={controls.ready}
            onChange={(ready) => actions.setAndReopen(id, { ready, readyAfterMs: ready === 'late' ? LATE_MS : 0 })}
            options={[
              { value: 'before', text: 'There' },
              { value: 'late', text: '3 s late' },
              { value: 'never', text: 'Never' },
            ]}
            hint="The app talks to its host through it. Changing it opens the app again."
          />
        </>
      )}
      <Choice
        legend="When the phone asks for something"
        value={asks ? 'me' : 'itself'}
        onChange={(value) => actions.asks(id, value === 'me')}
        options={[
          { value: 'me', text: 'I answer' },
          { value: 'itself', text: 'By itself' },
        ]}
        hint={
          asks
            ? 'HostActions open over the app: consent, payment, location, sharing.'
            : 'No sheet opens; the answers below are given at once.'
        }
      />
      {!asks && (
        <div className={css.answers}>
          {isMini && (
            <>
              <Choice
                legend="Login"
                value={controls.login}
                onChange={(login) => actions.set(id, { login })}
                options={[
                  { value: 'grant', text: 'Shares' },
                  { value: 'deny', text: 'Refuses' },
                ]}
              />
              <Select
                label="Payment"
                value={controls.payment}
                onChange={(payment) => actions.set(id, { payment: payment as Answer<'payment'> })}
                options={PAYMENT}
              />
            </>
          )}
          <Choice
            legend="Location"
            value={controls.location}
            onChange={(location) => actions.set(id, { location })}
            options={[
              { value: 'grant', text: 'Allows' },
              { value: 'deny', text: 'Refuses' },
              { value: 'timeout', text: 'Silence' },
            ]}
          />
        </div>
      )}
      <div>
        <Rare title="Place and memory">
          <Choice
            legend="Where the phone is"
            value={position}
            onChange={(value) => actions.set(id, { position: value === 'far' ? FAR_AWAY : calm(phone).position })}
            options={[
              { value: 'city', text: 'In the city' },
              { value: 'far', text: 'At sea, no shop near' },
            ]}
          />
          <Choice
            legend="Storage of the phone"
            value={controls.storage}
            onChange={(storage) => actions.set(id, { storage })}
            options={[
              { value: 'works', text: 'Works' },
              { value: 'full', text: 'Full' },
              { value: 'throws', text: 'Locked' },
            ]}
          />
          <button type="button" className={css.erase} onClick={() => actions.erase(id)}>
            Erase the app’s data on this phone
          </button>
        </Rare>
        {app !== null && (
          <Rare title={`When ${hostName} misbehaves`}>
            <Choice
              legend="Its answers"
              value={controls.reply}
              onChange={(reply) => actions.set(id, { reply })}
              options={[
                { value: 'none', text: 'Good' },
                { value: 'never', text: 'Missing' },
                { value: 'twice', text: 'Twice' },
                { value: 'truncated', text: 'Cut off' },
              ]}
            />
            {app.switches.map(({ control, legend, hint, choices }) => (
              <Choice
                key={control}
                legend={legend}
                hint={hint}
                options={choices}
                value={own[control] ?? null}
                onChange={(value) => actions.setOwn(id, { [control]: value })}
              />
            ))}
          </Rare>
        )}
        <Rare title="What the phone was asked">
          {state.log.length === 0 ? (
            <p className={css.none}>Nothing yet: logins, payments, locations and vibrations appear here.</p>
          ) : (
            <ol className={css.log}>
              {state.log.map((entry) => (
                <li key={entry.id} data-name={entry.name}>
                  <b>{entry.name}</b> {entry.text}
                </li>
              ))}
            </ol>
          )}
        </Rare>
      </div>
    </Plate>
  );
}
