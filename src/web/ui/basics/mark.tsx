import { BRAND } from '#contract/product';
import { classNames } from './class-names.ts';

const LETTER =
  'M502 -519Q372 -519 281 -504Q191 -489 134 -462Q78 -434 52 -397Q26 -360 26 -316Q26 -279 42 -249Q58 -219 102 -194Q146 -169 229 -147Q313 -125 447 -106H558L559 -124Q447 -138 391 -158Q334 -178 315 -204Q297 -230 297 -263Q297 -304 325 -335Q354 -365 413 -382Q472 -399 563 -399Q655 -399 716 -383Q778 -366 809 -338Q840 -310 840 -277Q840 -252 825 -234Q810 -216 770 -203Q730 -190 655 -180Q579 -171 458 -162Q337 -152 261 -130Q186 -108 146 -74Q106 -40 92 1Q78 43 79 90Q83 188 155 246Q228 304 378 320L416 274Q353 268 332 253Q312 237 312 213Q312 192 324 179Q336 166 370 158Q404 149 470 144Q535 139 643 134Q765 128 849 110Q933 92 984 58Q1036 25 1059 -25Q1082 -75 1082 -144Q1083 -254 1017 -339Q950 -423 821 -471Q691 -519 502 -519ZM505 257Q360 257 261 299Q162 341 111 417Q61 493 61 593Q61 700 117 775Q172 851 273 891Q374 931 507 931Q624 931 708 899Q791 868 845 817Q899 767 925 708Q951 649 951 595Q951 488 895 412Q839 337 739 297Q639 257 505 257ZM513 375Q555 375 578 416Q602 458 602 570Q602 709 574 762Q546 815 500 815Q458 815 434 775Q410 734 410 621Q410 481 439 428Q467 375 513 375ZM654 844 640 914Q728 904 793 906Q857 908 905 916Q953 923 989 930Q1025 937 1055 937Q1089 937 1106 918Q1124 899 1124 851Q1124 778 1096 750Q1068 722 1034 722Q1000 722 969 746Q938 770 898 799Q859 827 801 843Q743 860 654 844Z';

/** A letter lifted out of a picture's corner marks: the top right corner has given way. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={className}>
      <path d="M3.25 15V9.25H7.5M3.25 24v5.75H9M29.75 24v5.75H24" stroke="currentColor" strokeWidth="2.5" />
      <path d={LETTER} transform="translate(9.6 15.2) scale(.0152 -.0152)" fill="currentColor" />
    </svg>
  );
}

/** Mark and name together. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      <Mark className="size-8" />
      <span className="translate-y-px font-display text-xl font-semibold tracking-tight">{BRAND.name}</span>
    </span>
  );
}
