import { messageTexts } from '../texts/messages.ts'
import { Button, ButtonLink, type ButtonProps, type LinkProps } from './button.tsx'
import { classNames } from './class-names.ts'

/** A button whose place and size are not its own. */
export type Answer =
  | (Omit<ButtonProps, 'size' | 'block' | 'children'> & { children: string; href?: never })
  | Omit<LinkProps, 'size' | 'block'>
/** Without a word of its own it is No where the other one begins with Yes, and Cancel beside an act that has a name. */
export type No =
  | (Omit<ButtonProps, 'size' | 'block' | 'children'> & { children?: string; href?: never })
  | Omit<LinkProps, 'size' | 'block'>

/** What ends a dialog or a form: No on the left and Yes on the right, in every one and on every screen. */
export function Answers({ yes, no, className }: { yes: Answer; no: No | false; className?: string }) {
  return (
    <div className={classNames('grid gap-2', no && 'grid-cols-[minmax(min-content,1fr)_2fr]', className)}>
      {no && <AnswerButton variant="secondary" {...{ children: wordOfNo(yes), ...no }} />}
      <AnswerButton {...yes} />
    </div>
  )
}

function AnswerButton(answer: No) {
  return answer.href === undefined ? <Button block size="large" {...answer} /> : <ButtonLink block size="large" {...answer} />
}

function wordOfNo({ children }: Answer): string {
  return typeof children === 'string' && children.startsWith(messageTexts.yes) ? messageTexts.no : messageTexts.cancel
}
