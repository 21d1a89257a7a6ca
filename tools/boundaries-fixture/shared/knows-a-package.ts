// breaks: shared-alone
import type { FC } from 'react'
export type Shown = FC
