import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { networkEdge } from './network-badge.tsx'

type Props = { network: string; children: ReactNode; stub?: ReactNode; className?: string }

/** A bundle: the network's colour on its edge, what it is in the body, and the rest behind the perforation. */
export function Ticket({ network, children, stub, className }: Props) {
  return (
    <div className={classNames('overflow-hidden rounded-box border border-line bg-surface', className)}>
      <div aria-hidden="true" className={classNames('h-1.5', networkEdge(network))} />
      <div className="p-4">{children}</div>
      {stub && (
        <>
          <Perforation />
          <div className="p-4">{stub}</div>
        </>
      )}
    </div>
  )
}

const NOTCH = 'absolute -top-2 size-3.5 rounded-full border border-line bg-paper'

function Perforation() {
  return (
    <div aria-hidden="true" className="relative mx-2 border-t-2 border-dotted border-line">
      <span className={`${NOTCH} -left-4`} />
      <span className={`${NOTCH} -right-4`} />
    </div>
  )
}
