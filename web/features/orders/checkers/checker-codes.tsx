import { ExternalLink } from 'lucide-react'
import type { OwnChecker } from '../../../../shared/checkers.ts'
import { checkerTexts as texts } from '../../../texts/checkers.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'

/** Serials and PINs with a way to copy each, and where they are used. */
export function CheckerCodes({ checkers }: { checkers: readonly OwnChecker[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {checkers.map(({ name, portal, serial, pin, replaced }) => (
        <li key={serial} className="py-3 first:pt-0 last:pb-0">
          <p className="font-semibold">{name}</p>
          {replaced ? (
            <>
              <p className="tabular text-small break-all text-muted line-through">{serial}</p>
              <p className="text-small text-muted">{texts.replaced}</p>
            </>
          ) : (
            <>
              <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
                <dt className="text-small text-muted">{texts.serial}</dt>
                <dd>
                  <CopyButton text={serial} label={texts.copySerial(serial)} className="tabular break-all">
                    {serial}
                  </CopyButton>
                </dd>
                <dt className="text-small text-muted">{texts.pin}</dt>
                <dd>
                  <CopyButton text={pin} label={texts.copyPin(pin)} className="tabular text-large font-bold break-all">
                    {pin}
                  </CopyButton>
                </dd>
              </dl>
              <a
                href={portal}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-11 items-center gap-1.5 font-semibold break-all text-brand-text hover:underline"
              >
                {texts.use(new URL(portal).host)} <ExternalLink className="size-4 shrink-0" aria-hidden="true" />
              </a>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
