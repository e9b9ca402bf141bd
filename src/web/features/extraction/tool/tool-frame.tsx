import { clsx } from 'clsx';
import { type FormEvent, type ReactNode, type RefObject, startTransition, useId, useOptimistic } from 'react';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button, Switch } from '../../../ui/basics/button.tsx';
import { Card } from '../../../ui/basics/display.tsx';
import { afterPaint, useEventCallback } from '../../../ui/basics/events.ts';
import type { Rejection, Remedy } from './image-file.ts';

/** The parts of the tool that depend on the phase. `ToolFrame` renders the rest. */
export interface PhaseView {
  picture: ReactNode;
  progress?: ReactNode;
  button: { label: string; disabled?: boolean; busy?: boolean };
  /** Whether the form is compact, in one line above a result. */
  isAside?: boolean;
  failure?: ReactNode;
  result?: ReactNode;
}

export interface ToolFrameProps {
  view: PhaseView;
  form: RefObject<HTMLFormElement | null>;
  submit: RefObject<HTMLButtonElement | null>;
  onSubmit: () => void;
  useFiltering: boolean;
  onUseFilteringChange: (useFiltering: boolean) => void;
  /** The switch to read on this device. */
  device: ReactNode;
  /** The free quota, for anonymous visitors. */
  allowance: ReactNode;
  languages: ReactNode;
  problem: Rejection | null;
  problemId: string;
  onRemedy: (problem: Rejection, remedy: Remedy) => void;
}

/** The large form without a result. */
const SHEET = {
  form: 'gap-5 p-4 md:p-6',
  progress: '',
  languages: 'min-w-0 empty:hidden',
  controls: 'flex-col md:flex-row md:items-center',
  button: { size: 'large', variant: 'primary', className: 'md:w-72' },
} as const;

/** The compact form above a result. */
const ASIDE = {
  form: 'gap-x-6 gap-y-3 px-4 py-3 md:flex-row md:flex-wrap md:items-center md:justify-between md:px-6',
  progress: 'order-last md:basis-full',
  languages: 'order-last min-w-0 empty:hidden md:basis-full',
  controls: 'items-center',
  button: { size: 'small', variant: 'secondary' },
} as const;

export const processingLabel = (percent: number) => `Processing... ${percent}%`;

export function ToolFrame(props: ToolFrameProps) {
  const { view, form, submit, onSubmit, useFiltering, onUseFilteringChange, allowance, languages } = props;
  const { isAside = false } = view;
  // The button is rendered first and everything else after the next frame, so that a click has an immediate effect.
  const [isPressed, press] = useOptimistic(false);
  const button = isPressed ? { label: processingLabel(0), busy: true } : view.button;
  const submitForm = useEventCallback(onSubmit);
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (button.busy || view.button.disabled) return submitForm();
    startTransition(async () => {
      press(true);
      await afterPaint();
      submitForm();
    });
  };
  const look = isAside ? ASIDE : SHEET;
  const problem = props.problem && (
    <div id={props.problemId} className={isAside ? 'px-4 pb-4 md:px-6 md:pb-6' : ''}>
      <ProblemAlert problem={props.problem} onRemedy={props.onRemedy} />
    </div>
  );
  return (
    <Card as="section" aria-label="Extract text from a picture">
      <form ref={form} onSubmit={onFormSubmit} className={clsx('flex flex-col', look.form)}>
        {view.picture}
        {!isAside && problem}
        {view.progress && <div className={look.progress}>{view.progress}</div>}
        {/* The key replaces these elements above a result. Otherwise they would seem to jump when the result appears. */}
        <div
          key={isAside ? 'aside' : 'sheet'}
          className={clsx('flex justify-between gap-x-6 gap-y-4', look.controls)}
        >
          <FilterSwitch
            checked={useFiltering}
            onCheckedChange={onUseFilteringChange}
            disabled={button.busy ?? false}
            brief={isAside}
          />
          <Button
            ref={submit}
            type="submit"
            {...look.button}
            disabled={button.disabled}
            busy={button.busy ?? false}
          >
            {button.label}
          </Button>
        </div>
        {!isAside && props.device}
        {!isAside && allowance}
        {languages && <div className={look.languages}>{languages}</div>}
      </form>
      {isAside && allowance && <div className="border-t border-rule px-4 py-2 md:px-6">{allowance}</div>}
      {isAside && problem}
      {view.failure && (
        <div ref={reveal} className="px-4 pb-4 md:px-6 md:pb-6">
          {view.failure}
        </div>
      )}
    </Card>
  );
}

/** Scrolls to a failure, which may be below the window, or under a dialog that is closed later. */
function reveal(failure: HTMLElement | null): void {
  failure?.scrollIntoView({ block: 'nearest' });
}

/** The problem of the last file or click, what the file is, and a button for its remedy. */
function ProblemAlert({ problem, onRemedy }: { problem: Rejection } & Pick<ToolFrameProps, 'onRemedy'>) {
  const { title, description, about, remedy } = problem;
  return (
    <Alert
      tone="danger"
      isAnnouncedElsewhere
      title={title}
      action={
        remedy && (
          <Button
            variant="secondary"
            size="small"
            busy={remedy.busyLabel !== null}
            onClick={() => onRemedy(problem, remedy)}
          >
            {remedy.busyLabel ?? remedy.label}
          </Button>
        )
      }
    >
      {description}
      {about && <p>{about}</p>}
    </Alert>
  );
}

interface FilterSwitchProps {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled: boolean;
  brief: boolean;
}

function FilterSwitch({ checked, onCheckedChange, disabled, brief }: FilterSwitchProps) {
  const id = useId();
  return (
    <div
      className={clsx(
        'flex gap-4',
        brief ? 'items-center' : 'items-center justify-between md:justify-start md:gap-6',
      )}
    >
      <div className={brief ? 'min-w-22' : ''}>
        <label htmlFor={id} className="font-medium">
          Smart Text Filtering
        </label>
        <p id={`${id}-hint`} className={brief ? 'sr-only' : 'text-sm text-ink-soft'}>
          Removes UI elements and noise
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
      />
    </div>
  );
}
