import { Inflate as Streaming } from 'fflate'

/** In a file of its own: imported by itself, the library would be a namespace, whose helper every page would fetch. */
export class Inflate extends Streaming {}
