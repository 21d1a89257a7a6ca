import type { ComponentType, ReactNode } from 'react'
import type { WantedRole } from '../../../shared/staff-rules.ts'
import type { CsvFile } from '../../lib/download-csv.ts'

export type Screen = {
  href: string
  /** It has addresses below its own, such as one for each order. */
  hasMore?: true
  label: string
  /** What it is called in full, beside the label. */
  title: string
  icon: ReactNode
  Content: ComponentType
  /** Who may open it; everybody who works here if it is not said. */
  roles?: WantedRole
  /** A letter that opens it after G. */
  letter?: string
  csv?: CsvFile
  /** A mark beside the screen's name, such as a count. */
  Mark?: ComponentType
  /**
   * Where it is found. `bar`: at the foot of a phone and in the rail. `day`: in the rail, and on a phone under More. `rail`: in the
   * rail's lower part, and under More. `more`: under More alone. `below`: nowhere, since a screen leads there; it counts as Orders.
   */
  place: 'bar' | 'day' | 'rail' | 'more' | 'below'
}
