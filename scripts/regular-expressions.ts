import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Finds all regular expressions of the sources by parsing them. */

export interface FoundExpression {
  /** Path from the root of the repository, with slashes. */
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** An expression that is assembled at run time, so that its pattern is not known. */
export interface BuiltExpression {
  file: string;
  line: number;
  /** The source text of the call. */
  call: string;
}

export function findExpressions(root: string, folder: string) {
  const literals: FoundExpression[] = [];
  const built: BuiltExpression[] = [];
  for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.tsx?$/.test(entry) || /\.test\.tsx?$/.test(entry)) continue;
    const file = join(folder, entry).replaceAll('\\', '/');
    const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      const line = () => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        literals.push({
          file,
          line: line(),
          source: node.text.slice(1, end),
          flags: node.text.slice(end + 1),
        });
      } else if (isRegExpCall(node)) {
        const [pattern, flags] = node.arguments ?? [];
        if (pattern && isText(pattern) && (flags === undefined || isText(flags))) {
          literals.push({ file, line: line(), source: pattern.text, flags: flags?.text ?? '' });
        } else {
          built.push({ file, line: line(), call: node.getText(source) });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals, built };
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}
