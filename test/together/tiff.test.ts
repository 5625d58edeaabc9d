import { together } from './together.ts'

together('tiff')
