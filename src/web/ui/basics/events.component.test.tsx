import { afterEach, expect, test } from 'vitest';
import { focusInstead } from './events.ts';

afterEach(() => document.body.replaceChildren());

function controls() {
  document.body.innerHTML = '<button>Remove</button><button>Next</button><input>';
  const [pressed, next] = document.querySelectorAll('button');
  pressed!.focus();
  return { pressed: pressed!, next: next!, field: document.querySelector('input')! };
}
const nextFrame = () => new Promise(requestAnimationFrame);

test('focusInstead: focuses the successor of a removed or disabled control', async () => {
  for (const disappear of [
    (it: HTMLButtonElement) => it.remove(),
    (it: HTMLButtonElement) => {
      it.disabled = true;
    },
  ]) {
    const { pressed, next } = controls();
    disappear(pressed);
    focusInstead(() => next);
    await nextFrame();
    expect(document.activeElement).toBe(next);
  }
});

test('focusInstead: keeps a focus that has moved since', async () => {
  const { pressed, next, field } = controls();
  pressed.remove();
  focusInstead(() => next);
  field.focus();
  await nextFrame();
  expect(document.activeElement).toBe(field);
});
