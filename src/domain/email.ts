import { LONGEST_EMAIL } from '../contract/names.ts';
import { typedText } from './typedText.ts';

/** Local part, @, domain with a dot and a top-level domain of two letters or more (specification section 5). */
export function isEmail(text: string): boolean {
  const email = typedText(text);
  return (
    email.length <= LONGEST_EMAIL &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/.test(
      email,
    )
  );
}
