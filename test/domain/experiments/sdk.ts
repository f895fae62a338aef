import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import type { ServiceRequest } from '../../../src/domain/experiments/requests.ts';
import type { Calls } from './kit.ts';

interface Sdk {
  launch(options: object): Calls;
}

/**
 * The service's own SDK for browsers in a place of its own: what it keeps in its modules, prints and sends stays there.
 * @returns it, and the list that its requests go to
 */
export function openSdk(): { sdk: Sdk; requests: Pick<ServiceRequest, 'url' | 'query' | 'body'>[] } {
  const folder = path.dirname(createRequire(import.meta.url).resolve('vwo-node-sdk/package.json'));
  const requests: { url: string; query: Record<string, string>; body?: unknown }[] = [];
  class XMLHttpRequest {
    address = '';
    open(_method: string, address: string): void {
      this.address = address;
    }
    setRequestHeader(): void {}
    send(body?: string): void {
      const [url = '', query = ''] = this.address.split('?');
      // Its values are not encoded, so none is decoded.
      const pairs = query.split('&').filter(Boolean);
      const fields = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
      requests.push({
        url,
        query: Object.fromEntries(fields) as Record<string, string>,
        ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }),
      });
    }
  }
  const nothing = () => {};
  const quiet = { log: nothing, info: nothing, warn: nothing, error: nothing, debug: nothing };
  const module = { exports: {} };
  const place = { module, exports: module.exports, console: quiet, XMLHttpRequest, setTimeout: nothing, process: {} };
  vm.runInNewContext(readFileSync(path.join(folder, 'dist/vwo-javascript-sdk.min.js'), 'utf8'), place);
  return { sdk: module.exports as Sdk, requests };
}
