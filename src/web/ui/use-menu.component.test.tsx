import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useMenu } from './use-menu.ts';

function Menu() {
  const { open, openMenu, menuId, button, menu, onMenuKeyDown } = useMenu();
  return (
    <>
      <button ref={button} type="button" onClick={() => openMenu('first')}>
        Menu
      </button>
      {open && (
        <div ref={menu} id={menuId} role="menu" tabIndex={-1} onKeyDown={onMenuKeyDown}>
          <button type="button" role="menuitem">
            Account
          </button>
          <button type="button" role="menuitem">
            Reports
          </button>
        </div>
      )}
    </>
  );
}

/** Presses R in the menu. @returns whether the menu handled the key */
function pressR(modifiers: KeyboardEventInit = {}): boolean {
  const init = { key: 'r', bubbles: true, cancelable: true, ...modifiers };
  return !document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', init));
}

test('useMenu: a letter focuses the next item that starts with it, and browser shortcuts keep their effect', async () => {
  await render(<Menu />);
  await page.getByRole('button', { name: 'Menu' }).click();
  const [account, reports] = ['Account', 'Reports'].map((name) => page.getByRole('menuitem', { name }));
  await expect.element(account!).toHaveFocus();
  for (const modifiers of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
    expect(pressR(modifiers), JSON.stringify(modifiers)).toBe(false);
  await expect.element(account!).toHaveFocus();
  expect(pressR()).toBe(true);
  await expect.element(reports!).toHaveFocus();
});
