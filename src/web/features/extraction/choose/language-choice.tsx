import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { MAX_LANGUAGES } from '#contract/languages';
import { Button } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import {
  groupLanguages,
  languagesQuery,
  type OfferedLanguage,
  searchLanguages,
} from '../../../workspace/language-groups.ts';
import { detectedLanguages, type RecognitionResult } from '../../../workspace/reading.ts';
import { recallLanguages, rememberLanguages, toggleLanguage } from './remembered-languages.ts';

interface LanguageChoiceProps {
  /** Language codes, the main one first; empty if the language is found automatically, null until the choice is loaded. */
  chosen: readonly string[] | null;
  /** The shown result. */
  reading: RecognitionResult | null;
  onChange: (codes: readonly string[]) => void;
  disabled: boolean;
}

/** The choice of languages: found automatically, or up to three languages. This browser remembers it. */
export function LanguageChoice({ chosen, reading, onChange, disabled }: LanguageChoiceProps) {
  const id = useId();
  const languages = useQuery(languagesQuery).data?.filter(({ allowed }) => allowed);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (languages && chosen === null) onChange(recallLanguages(languages.map(({ code }) => code)));
  }, [languages, chosen, onChange]);

  if (!languages || chosen === null) return null;
  const nameOf = (code: string) => languages.find((language) => language.code === code)?.name ?? code;
  const found = reading ? detectedLanguages(reading) : [];
  const [main] = found;
  const automatic = main ? `${nameOf(main)}, found` : 'Found automatically';
  return (
    <div className="border-t border-rule pt-3">
      <Button
        variant="ghost"
        size="small"
        className="-mx-3 max-w-full"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        onClick={() => setOpen((was) => !was)}
      >
        <span className="truncate">
          {chosen.length > 1 ? 'Languages' : 'Language'}: {chosen.map(nameOf).join(', ') || automatic}
        </span>
        <Icon name="chevron" className="size-4" />
      </Button>
      {open && !disabled && (
        <LanguageList
          id={id}
          languages={languages}
          chosen={chosen}
          found={found}
          onChange={(next) => {
            rememberLanguages(next);
            onChange(next);
          }}
        />
      )}
    </div>
  );
}

interface LanguageListProps {
  id: string;
  languages: readonly OfferedLanguage[];
  chosen: readonly string[];
  found: readonly string[];
  onChange: (codes: readonly string[]) => void;
}

function LanguageList({ id, languages, chosen, found, onChange }: LanguageListProps) {
  const name = useId();
  const [search, setSearch] = useState('');
  // Fixed while the list is open, so that a checked language does not move away from the pointer.
  const [pinned] = useState([...chosen, ...found]);
  const browser = navigator.languages;
  const groups = groupLanguages(searchLanguages(languages, search, browser), pinned, browser);
  const isFull = chosen.length >= MAX_LANGUAGES;
  return (
    <fieldset id={id} className="mt-3 grid gap-3">
      <legend className="sr-only">Languages in the picture</legend>
      <div className="grid gap-x-8 gap-y-1 md:grid-cols-2">
        <ModeOption
          name={name}
          label="Found automatically"
          hint="The picture is read in English first, and again in the language that is found. This counts once."
          checked={chosen.length === 0}
          onChoose={() => onChange([])}
        />
        <ModeOption
          name={name}
          label="Chosen here"
          hint="For short texts and for several languages on one page."
          checked={chosen.length > 0}
          onChoose={() => onChange(pinned.length > 0 ? pinned.slice(0, MAX_LANGUAGES) : ['eng'])}
        />
      </div>
      {languages.length > 12 && (
        <div className="max-w-xs">
          <TextField
            label="Find a language"
            name="language-search"
            type="search"
            autoComplete="off"
            value={search}
            onValue={setSearch}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Languages" className="max-h-72 overflow-y-auto pr-2">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title} className="mb-3">
            <p className="sticky top-0 border-b border-rule bg-sheet py-1 text-sm font-medium text-ink-soft">
              {group.title}
            </p>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 pt-1">
              {group.languages.map(({ code, name: label }) => (
                <li key={code}>
                  <label className="flex min-h-9 items-start gap-2.5 py-1.5">
                    <input
                      type="checkbox"
                      className="mt-0.75 size-4.5 shrink-0 accent-ink"
                      checked={chosen.includes(code)}
                      aria-disabled={(isFull && !chosen.includes(code)) || undefined}
                      onChange={() => onChange(toggleLanguage(chosen, code))}
                    />
                    {label}
                  </label>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
      <p role="status" className="text-sm text-ink-soft">
        {groups.length === 0 ? 'This server does not read such a language.' : adviceOn(languages, chosen)}
      </p>
    </fieldset>
  );
}

function adviceOn(languages: readonly OfferedLanguage[], chosen: readonly string[]): string {
  const fetched = languages.filter(({ code, installed }) => chosen.includes(code) && !installed);
  const most =
    chosen.length >= MAX_LANGUAGES
      ? `At most ${MAX_LANGUAGES} at once: clear one to choose another.`
      : 'Choose the languages in the picture; each additional language takes longer.';
  if (fetched.length === 0) return most;
  const names = new Intl.ListFormat('en').format(fetched.map(({ name }) => name));
  return `${most} ${names}: fetched once, with the first picture, which takes longer.`;
}

interface ModeOptionProps {
  name: string;
  label: string;
  hint: string;
  checked: boolean;
  onChoose: () => void;
}

function ModeOption({ name, label, hint, checked, onChoose }: ModeOptionProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5 py-1.5">
      <input
        type="radio"
        id={id}
        name={name}
        aria-describedby={`${id}-hint`}
        className="mt-0.75 size-4.5 shrink-0 accent-ink"
        checked={checked}
        onChange={onChoose}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      </div>
    </div>
  );
}
