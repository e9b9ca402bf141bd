import { Content, List, Root, Trigger } from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface TabsProps<Value extends string> {
  /** Names the row of tabs for screen readers. */
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  tabs: ReadonlyArray<{ value: Value; label: string; content: ReactNode }>;
  /** Inside a card whose content reaches the edges: the tabs keep the card's margin, the content has none. */
  flush?: boolean;
}

/** Index tabs on a rule; the arrow keys move between them. */
export function Tabs<Value extends string>({
  label,
  value,
  onValueChange,
  tabs,
  flush = false,
}: TabsProps<Value>) {
  return (
    <Root
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.value === next);
        if (chosen) onValueChange(chosen.value);
      }}
    >
      <List aria-label={label} className={classNames('flex gap-6 border-b border-rule', flush && 'px-4')}>
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
      {tabs.map((tab) => (
        <Content key={tab.value} value={tab.value} className={flush ? undefined : 'pt-5'}>
          {tab.content}
        </Content>
      ))}
    </Root>
  );
}
