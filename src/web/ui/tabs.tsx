import { Content, List, Root, Trigger } from '@radix-ui/react-tabs';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  tabs: ReadonlyArray<{ value: Value; label: string; content: ReactNode }>;
  /** Removes content padding for full-bleed cards. */
  flush?: boolean;
  /** Content at the end of the row of tabs. */
  aside?: ReactNode;
}

/** Underlined tabs. The arrow keys switch between them. */
export function Tabs<Value extends string>({
  label,
  value,
  onValueChange,
  tabs,
  flush = false,
  aside,
}: TabsProps<Value>) {
  return (
    <Root
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.value === next);
        if (chosen) onValueChange(chosen.value);
      }}
    >
      <div className={clsx('flex justify-between border-b border-rule', flush && 'px-4')}>
        <List aria-label={label} className="flex gap-6">
          {tabs.map((tab) => (
            <Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px min-h-11 border-b-2 border-transparent px-1 text-ink-soft hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
            >
              {tab.label}
            </Trigger>
          ))}
        </List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <Content key={tab.value} value={tab.value} className={flush ? undefined : 'pt-5'}>
          {tab.content}
        </Content>
      ))}
    </Root>
  );
}
