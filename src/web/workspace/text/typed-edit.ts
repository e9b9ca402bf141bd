import type { TypedEdit } from './text-history.ts';

/** The edit that was just typed into a text area. `event`: the browser's own. */
export const typedEdit = ({ value, selectionEnd }: HTMLTextAreaElement, event: Event): TypedEdit => ({
  text: value,
  caret: selectionEnd,
  kind: event instanceof InputEvent && event.inputType.startsWith('delete') ? 'deleting' : 'typing',
  time: performance.now(),
});
