import type { TestServer } from '../kit/server.ts';

/** What a tool, or the protocol itself, has answered. */
export interface ToolReply {
  readonly status: number;
  readonly headers: Headers;
  /** The error of the protocol; undefined where a tool has answered. */
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
  readonly result: {
    readonly isError?: boolean;
    readonly structuredContent?: Record<string, unknown>;
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly resultType?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly params: Record<string, unknown> }>>;
    readonly requestState?: string;
    readonly [name: string]: unknown;
  };
}

export interface AssistantOptions {
  /** The door's path. */
  readonly path?: string;
  readonly token?: string | undefined;
  readonly language?: string;
  readonly headers?: Record<string, string>;
  /** What the program says that it can do; only the newest version of the protocol asks for it with each call. */
  readonly capabilities?: Record<string, unknown>;
  /** '2025-11-25' and older ones have a handshake, which a server without sessions does not remember. */
  readonly version?: string;
}

export const NEWEST = '2026-07-28';
let count = 0;

/** A program of an assistant: speaks the protocol by hand, so that a test says what goes over the wire. */
export function assistantClient(server: Pick<TestServer, 'url'>, options: AssistantOptions = {}) {
  const { path = '/mcp', token, language, headers = {}, capabilities = {}, version = NEWEST } = options;
  async function send(method: string, params: Record<string, unknown> = {}): Promise<ToolReply> {
    const isNewest = version === NEWEST;
    count += 1;
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        ...(isNewest ? { 'mcp-method': method } : {}),
        ...(isNewest && typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(language === undefined ? {} : { 'accept-language': language }),
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: count,
        method,
        params: isNewest
          ? {
              ...params,
              _meta: {
                'io.modelcontextprotocol/protocolVersion': version,
                'io.modelcontextprotocol/clientInfo': { name: 'scripted', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': capabilities,
              },
            }
          : params,
      }),
    });
    const text = await response.text();
    // Older versions are answered by a stream of one event.
    const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
    let body: Partial<ToolReply> = {};
    try {
      body = JSON.parse(data) as Partial<ToolReply>;
    } catch {
      /* no JSON: the test sees the status */
    }
    return { status: response.status, headers: response.headers, error: body.error, result: body.result ?? {} };
  }
  return {
    send,
    tool: (name: string, given: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
      send('tools/call', { name, arguments: given, ...more }),
  };
}

/** The data of a tool's answer. @throws Error where it was refused */
export function dataOf<T>({ result, error, status }: ToolReply): T {
  if (result.structuredContent === undefined)
    throw new Error(`no data: ${status} ${JSON.stringify(error ?? result).slice(0, 500)}`);
  return result.structuredContent as T;
}

/** The code by which a tool refuses; undefined where it does not. */
export function refusalOf({ result }: ToolReply): string | undefined {
  if (result.isError !== true) return undefined;
  const { errors } = JSON.parse(result.content?.[1]?.text ?? '{"errors":[]}') as { errors: { code: string }[] };
  return errors[0]?.code;
}
