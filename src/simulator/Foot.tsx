import { addressOf, phones } from './phones.ts';
import css from './Foot.module.css';

const FACTS = [
  [
    'One code base',
    'All apps are built from the same source: one bundle for each host and country, so nobody downloads what another one needs.',
  ],
  [
    'A real server',
    'Menus, carts, taxes, codes and payments come from a database: SQLite by default, PostgreSQL with DATABASE_URL.',
  ],
  [
    'Only the phones are imitated',
    'The payment apps answer as their documents say, or as badly as you ask; their proofs are signed and checked.',
  ],
  [
    'Made for slow phones',
    'The menu stands in the page before any script has run; a mini-app starts with at most 95 KB of script.',
  ],
] as const;

/** The way to each app alone, to the interface, and what to know about it all. */
export function Foot() {
  return (
    <footer className={css.foot}>
      <div className={css.inside}>
        <section aria-labelledby="alone">
          <h2 id="alone">Each app alone</h2>
          <ul className={css.links}>
            {phones.map((phone) => (
              <li key={phone.id}>
                <a href={addressOf(phone, phone.app !== null)}>
                  <b>{phone.name}</b>
                  <span>
                    /{phone.mount}
                    {phone.app !== null && ', its host imitated'}
                  </span>
                </a>
              </li>
            ))}
            <li>
              <a href="simulator/partner.html">
                <b>In somebody else’s page</b>
                <span>Embedded by one line, paid through that page</span>
              </a>
            </li>
            <li>
              <a href="openapi.json">
                <b>The interface</b>
                <span>/openapi.json, for OpenAPI tools</span>
              </a>
            </li>
          </ul>
        </section>
        <section aria-labelledby="facts">
          <h2 id="facts">Good to know</h2>
          <dl className={css.facts}>
            {FACTS.map(([title, text]) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <p className={css.more}>
            README.md tells how it is laid out, where to add what, and why it was built this way;{' '}
            <code>npm run build</code> prints the size of every bundle.
          </p>
        </section>
      </div>
    </footer>
  );
}
