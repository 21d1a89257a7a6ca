import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { NetworkGlyph, networkClass } from './network-art.tsx'

type Props = { network: string; children: ReactNode; stub: ReactNode; className?: string }

/** A ticket after paying: the bundle on its band has gone to the receiver, and the stub stays. */
export function TornTicket({ network, children, stub, className }: Props) {
  return (
    <div className={classNames('ticket torn', networkClass(network), className)}>
      <div className="overflow-hidden pb-1">
        <div className="art h-19 grid-cols-[1fr_auto] px-4 font-bold">
          <span className="justify-self-start">{network}</span>
          <NetworkGlyph network={network} className="w-14" />
        </div>
        <div className="p-4">{children}</div>
      </div>
      <div className="p-4 pt-5">{stub}</div>
    </div>
  )
}
