// A part of `npm run lint`: no text is a node that React keeps hold of, for a translated page has others in their place
// (src/decisions/2026-11-28-translated-pages.md). src/ui/jsx.ts gives an element to each text beside other children. Here
// are found, by their types, the texts that it does not see.
import { globSync } from 'node:fs';
import path from 'node:path';
import {
  isFunctionDeclaration,
  isMethodDeclaration,
  isJsxElement,
  isJsxExpression,
  isJsxFragment,
  isJsxText,
  type JsxChild,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

const root = path.resolve(import.meta.dirname, '..');
const TEXT =
  TypeFlags.String |
  TypeFlags.Number |
  TypeFlags.BigInt |
  TypeFlags.StringLiteral |
  TypeFlags.NumberLiteral |
  TypeFlags.BigIntLiteral |
  TypeFlags.TemplateLiteral |
  TypeFlags.Any;

/** Elements that can hold nothing else. */
const HOLDS_TEXT_ONLY = /^(?:option|title|text|tspan)$/;

const NEVER = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Boolean | TypeFlags.BooleanLiteral | TypeFlags.Void;

function looseTexts(file: SourceFile, checker: Checker): Node[] {
  const isText = (type: Type | undefined): boolean => {
    if (!type) return false;
    if (type.isUnionType()) return (type.getTypes() ?? []).some(isText);
    if (type.isStringLiteralType()) return type.value !== '';
    if (type.flags & TEXT) return true;
    return isTexts(type);
  };
  /** A list of texts, which are beside one another. */
  const isTexts = (type: Type | undefined): boolean => {
    if (!type) return false;
    if (type.isUnionType()) return (type.getTypes() ?? []).some(isTexts);
    if (type.flags & NEVER) return false;
    if (checker.isArrayLikeType(type) && type.isTypeReference()) return checker.getTypeArguments(type).some(isText);
    return false;
  };
  const found: Node[] = [];
  const typeOf = (child: JsxChild) =>
    isJsxExpression(child) && child.expression ? checker.getTypeAtLocation(child.expression) : undefined;
  const isWhite = (child: JsxChild) => isJsxText(child) && /^\s*\n\s*$|^$/.test(child.text);
  const visit = (node: Node): undefined => {
    if (isJsxElement(node) || isJsxFragment(node)) {
      const children = node.children.filter(
        (child) => !isWhite(child) && !(isJsxExpression(child) && !child.expression),
      );
      const name = isJsxElement(node) ? node.openingElement.tagName.getText(file) : '';
      const isLoose =
        children.length > 1
          ? (one: JsxChild) => HOLDS_TEXT_ONLY.test(name) || isTexts(typeOf(one))
          : isJsxElement(node)
            ? (one: JsxChild) => isTexts(typeOf(one))
            : (one: JsxChild) => isJsxText(one) || isText(typeOf(one));
      found.push(...children.filter(isLoose));
    } else if (
      (isFunctionDeclaration(node) || isMethodDeclaration(node)) &&
      /^(?:[A-Z]|render$)/.test(node.name?.getText(file) ?? '')
    ) {
      const signature = checker.getSignatureFromDeclaration(node);
      if (signature && isText(checker.getReturnTypeOfSignature(signature))) found.push(node.name!);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

const api = new API({ cwd: root });
const project = api
  .updateSnapshot({ openProjects: ['src/tsconfig.json'].map((one) => path.join(root, one)) })
  .getProjects()[0]!;
const wrong: string[] = [];
for (const name of globSync(['src/**/*.tsx', 'hosts/**/*.tsx'], { cwd: root }).sort()) {
  const file = project.program.getSourceFile(path.join(root, name));
  if (!file) throw new Error(`${name} belongs to no part of src/tsconfig.json`);
  for (const node of looseTexts(file, project.checker)) {
    const line = file.text.slice(0, node.getStart(file)).split('\n').length;
    wrong.push(`${name}:${line} ${node.getText(file).replace(/\s+/g, ' ').slice(0, 100)}`);
  }
}
api.close();
console.log(`${wrong.length} texts beside others`);
for (const one of wrong) console.error(`error: ${one}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
