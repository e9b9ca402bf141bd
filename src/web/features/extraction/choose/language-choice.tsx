import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { MAX_LANGUAGES } from '#contract/languages';
import { languagesQuery } from '../../../api/languages-query.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { recallLanguages, rememberLanguages, toggleLanguage } from './remembered-languages.ts';

interface LanguageChoiceProps {
  /** Codes, the main one first; none until they are known. */
  chosen: readonly string[];
  onChange: (codes: readonly string[]) => void;
  disabled: boolean;
}

/** Which languages a picture is read in: several at once, remembered in this browser. */
export function LanguageChoice({ chosen, onChange, disabled }: LanguageChoiceProps) {
  const id = useId();
  const languages = useQuery(languagesQuery).data?.filter(({ allowed }) => allowed);
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');

  useEffect(() => {
    if (languages && chosen.length === 0) onChange(recallLanguages(languages.map(({ code }) => code)));
  }, [languages, chosen, onChange]);

  if (!languages || chosen.length === 0) return null;
  const nameOf = (code: string) => languages.find((language) => language.code === code)?.name ?? code;
  const found = languages.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const full = chosen.length >= MAX_LANGUAGES;
  const toggle = (code: string) => {
    const next = toggleLanguage(chosen, code);
    rememberLanguages(next);
    onChange(next);
  };
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
          {chosen.length === 1 ? 'Language' : 'Languages'}: {chosen.map(nameOf).join(', ')}
        </span>
        <Icon name="chevron" className="size-4" />
      </Button>
      {open && !disabled && (
        <fieldset id={id} className="mt-3 grid gap-3">
          <legend className="sr-only">Languages in the picture</legend>
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
          <ul className="grid max-h-60 grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 overflow-y-auto">
            {found.map(({ code, name, installed }) => {
              const ticked = chosen.includes(code);
              return (
                <li key={code}>
                  <label className="flex min-h-9 items-start gap-2.5 py-1.5">
                    <input
                      type="checkbox"
                      className="mt-0.75 size-4.5 shrink-0 accent-ink"
                      checked={ticked}
                      aria-disabled={(full && !ticked) || undefined}
                      onChange={() => toggle(code)}
                    />
                    <span>
                      {name}
                      {!installed && (
                        <span className="block text-sm text-ink-soft">fetched at first use</span>
                      )}
                    </span>
                  </label>
                </li>
              );
            })}
          </ul>
          <p role="status" className="text-sm text-ink-soft">
            {found.length === 0
              ? 'This server reads no such language.'
              : full
                ? `At most ${MAX_LANGUAGES} at once: untick one to choose another.`
                : 'Tick what the picture holds; every further language takes longer.'}
          </p>
        </fieldset>
      )}
    </div>
  );
}
