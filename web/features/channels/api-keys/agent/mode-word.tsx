import { developerTexts } from '../../../../texts/developer.ts'
import { classNames } from '../../../../ui/class-names.ts'

/** Test or live, as a stamp that is also told apart without its colour. */
export function ModeWord({ isTest }: { isTest: boolean }) {
  return (
    <span
      className={classNames(
        'inline-block rounded-[5px] border px-1.5 text-small leading-[1.25rem] font-bold whitespace-nowrap',
        isTest ? 'border-dashed text-pending' : 'text-done',
      )}
    >
      {isTest ? developerTexts.test : developerTexts.live}
    </span>
  )
}
