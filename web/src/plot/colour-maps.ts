// Written by scripts/make-colour-maps.py. viridis and magma: matplotlib, CC0; cividis: matplotlib.

/** Colours of each map in equal steps, as hexadecimal red, green and blue. */
export const COLOUR_MAPS: Readonly<Record<string, string>> = {
  viridis:
    '440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725',
  magma:
    '000004 0a0822 1d1147 36106b 51127c 6a1c81 832681 9c2e7f b73779 d0416f e75263 f56b5c fc8961 fea772 fec488 fde2a3 fcfdbf',
  cividis:
    '00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8c8878 9b9476 aba072 bcae6c cdbb63 dec958 f0d846 fee838',
  grey: '161616 212121 2d2d2d 393939 464646 535353 606060 6e6e6e 7c7c7c 8a8a8a 989898 a7a7a7 b6b6b6 c6c6c6 d5d5d5 e5e5e5 f5f5f5',
  'blue-red':
    '09327a 1a4c8d 2d66a0 4180b3 569ac5 7fb0d0 a6c6db ccdce5 f3f2ee f0d1cb eab1a8 e29086 d86e65 bf574f a73f3a 8f2626 770310',
}
