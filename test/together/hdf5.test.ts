import { together } from './together.ts'

together('hdf5')
