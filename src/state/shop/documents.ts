import { atom } from 'jotai';
import * as contract from '../../contract/documents.ts';
import { DOCUMENTS, type DocumentId } from '../../contract/documents.ts';
import { ownPath } from '../../domain/safeRedirect.ts';
import { apiAtom, hostAtom, pathAtom } from '../first/seams.ts';
import { countryAtom } from '../base/country.ts';
import { remote } from '../lib/remote.ts';

/** Which document the page shows, by its path. */
export const documentIdAtom = atom((get): DocumentId => {
  const path = get(pathAtom).split('?')[0];
  return DOCUMENTS.find((id) => `/${id}` === path) ?? 'terms';
});

/** The document as the server has it; the terms at the country's own address (DEFAULT_TNC_URL). */
export const documentState = remote(
  async (get, _set, signal, id: DocumentId) => {
    const asked = id === 'terms' ? { ...contract.byId, path: get(countryAtom).DEFAULT_TNC_URL } : contract.byId;
    return (await get(apiAtom).call(asked, { document: id }, { signal })).document;
  },
  { isCustomers: false },
);

/**
 * Where the terms can be read: a path of the app, or the chain's own page (TNC_URL). Inside a payment app never the
 * latter, since a mini-app must not lead out of the host: then our own page.
 */
export const termsLinkAtom = atom((get): string => {
  const { TNC_URL } = get(countryAtom);
  return ownPath(TNC_URL) !== null || get(hostAtom).partner === '' ? TNC_URL : '/terms';
});
