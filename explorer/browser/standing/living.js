/** Scripts that the labs' files of a site share: they are unpacked once, and each file waits for them. */

import {add, unpack} from '../unpacking.js'

/** @typedef {{packedScripts: string, living: Promise<void>}} Shared */

/** Run the scripts, and let a file wait for them by `living`. */
export const begin = () => {
  const shared = /** @type {Shared & typeof globalThis} */ (globalThis)
  shared.living = unpack(shared.packedScripts).then((text) => add('script', text))
}
