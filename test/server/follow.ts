import type { OrderView } from '../../src/contract/orders.ts';
import type { Customer } from './shop.ts';

interface Event {
  readonly name: string;
  readonly id: string;
  readonly data: { order?: OrderView; map?: { rider: object | null } };
}

/** Reads server-sent events of one order as a client of ours does. */
export async function follow(url: string, customer: Customer, orderId: string, headers: Record<string, string> = {}) {
  const stopping = new AbortController();
  const answer = await fetch(`${url}/tracker-service/ve2/orders/${orderId}/events`, {
    signal: stopping.signal,
    headers: {
      api_key: customer.person.as.apiKey ?? 'in-web',
      authToken: customer.person.as.authToken!,
      userId: customer.userId,
      ...headers,
    },
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    answer,
    stop: () => stopping.abort(),
    /** The next event; null when the stream has ended. */
    async next(): Promise<Event | null> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
          if (field('data') !== '')
            return { name: field('event'), id: field('id'), data: JSON.parse(field('data')) as Event['data'] };
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    /** The last event, when the server has ended the stream. */
    async last(): Promise<string> {
      let name = '';
      for (let event = await this.next(); event !== null; event = await this.next()) name = event.name;
      return name;
    },
    async until(status: string): Promise<Event> {
      for (;;) {
        const event = await this.next();
        if (event === null) throw new Error(`the stream ended before ${status}`);
        if (event.data.order?.orderStatus === status) return event;
      }
    },
  };
}
