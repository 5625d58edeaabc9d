// Encodes and decodes samples by OpenJPEG (libopenjp2), for make-jpeg2000.py.
//
// Standard input: lines of numbers "width height left top components bits signed levels order mode blockWidth blockHeight tileWidth tileHeight
// precincts [width height]... flags irreversible mixed layers [rate]... parts", and the samples behind each, 32 bits each. Standard output: for each
// the length of the codestream, the codestream, and the decoded samples; a length of 0 where OpenJPEG refuses.
#include <openjpeg-2.5/openjpeg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned char *bytes; size_t length, room, at; } Memory;

static OPJ_SIZE_T put(void *from, OPJ_SIZE_T count, void *user) {
  Memory *m = user;
  if (m->at + count > m->room) m->bytes = realloc(m->bytes, m->room = 2 * (m->at + count));
  memcpy(m->bytes + m->at, from, count);
  m->at += count;
  if (m->at > m->length) m->length = m->at;
  return count;
}
static OPJ_SIZE_T get(void *to, OPJ_SIZE_T count, void *user) {
  Memory *m = user;
  if (m->at >= m->length) return (OPJ_SIZE_T)-1;
  if (count > m->length - m->at) count = m->length - m->at;
  memcpy(to, m->bytes + m->at, count);
  m->at += count;
  return count;
}
static OPJ_OFF_T skip(OPJ_OFF_T count, void *user) { ((Memory *)user)->at += count; return count; }
static OPJ_BOOL seek(OPJ_OFF_T to, void *user) { ((Memory *)user)->at = to; return OPJ_TRUE; }

static opj_stream_t *stream_of(Memory *memory, OPJ_BOOL reads) {
  opj_stream_t *stream = opj_stream_default_create(reads);
  opj_stream_set_user_data(stream, memory, NULL);
  opj_stream_set_user_data_length(stream, memory->length);
  opj_stream_set_read_function(stream, get);
  opj_stream_set_write_function(stream, put);
  opj_stream_set_skip_function(stream, skip);
  opj_stream_set_seek_function(stream, seek);
  return stream;
}

static int number(void) { int n = 0; if (scanf("%d", &n) != 1) exit(0); return n; }

int main(void) {
  for (;;) {
    opj_cparameters_t p;
    opj_set_default_encoder_parameters(&p);
    int width = number(), height = number(), left = number(), top = number(), components = number(), bits = number(), is_signed = number();
    p.numresolution = number() + 1;
    p.prog_order = number();
    p.mode = number();
    p.cblockw_init = number();
    p.cblockh_init = number();
    p.cp_tdx = number();
    p.cp_tdy = number();
    p.tile_size_on = p.cp_tdx > 0;
    p.res_spec = number();
    for (int i = 0; i < p.res_spec; i++) { p.prcw_init[i] = number(); p.prch_init[i] = number(); }
    p.csty = number() | (p.res_spec > 0 ? 1 : 0);
    p.irreversible = number();
    p.tcp_mct = number();
    p.tcp_numlayers = number();
    p.cp_disto_alloc = 1;
    for (int i = 0; i < p.tcp_numlayers; i++) p.tcp_rates[i] = number();
    int parts = number();
    if (parts) { p.tp_on = 1; p.tp_flag = parts; }
    getchar();
    opj_image_cmptparm_t shapes[4] = {0};
    for (int i = 0; i < components; i++) {
      shapes[i].dx = shapes[i].dy = 1;
      shapes[i].w = width; shapes[i].h = height; shapes[i].x0 = left; shapes[i].y0 = top;
      shapes[i].prec = bits; shapes[i].sgnd = is_signed;
    }
    opj_image_t *image = opj_image_create(components, shapes, components == 3 ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_GRAY);
    image->x0 = left; image->y0 = top; image->x1 = left + width; image->y1 = top + height;
    p.image_offset_x0 = left; p.image_offset_y0 = top;
    for (int i = 0; i < components; i++) if (fread(image->comps[i].data, 4, width * height, stdin) != (size_t)(width * height)) return 1;
    Memory memory = {0};
    opj_codec_t *encoder = opj_create_compress(OPJ_CODEC_J2K);
    opj_stream_t *out = stream_of(&memory, OPJ_FALSE);
    int ok = opj_setup_encoder(encoder, &p, image) && opj_start_compress(encoder, image, out) && opj_encode(encoder, out) && opj_end_compress(encoder, out);
    opj_stream_destroy(out);
    opj_destroy_codec(encoder);
    opj_image_destroy(image);
    opj_image_t *decoded = NULL;
    if (ok) {
      memory.at = 0;
      opj_dparameters_t d;
      opj_set_default_decoder_parameters(&d);
      opj_codec_t *decoder = opj_create_decompress(OPJ_CODEC_J2K);
      opj_stream_t *in = stream_of(&memory, OPJ_TRUE);
      ok = opj_setup_decoder(decoder, &d) && opj_read_header(in, decoder, &decoded) && opj_decode(decoder, in, decoded) && opj_end_decompress(decoder, in);
      opj_stream_destroy(in);
      opj_destroy_codec(decoder);
    }
    unsigned length = ok ? memory.length : 0;
    fwrite(&length, 4, 1, stdout);
    if (ok) {
      fwrite(memory.bytes, 1, length, stdout);
      for (int i = 0; i < components; i++) fwrite(decoded->comps[i].data, 4, width * height, stdout);
    }
    fflush(stdout);
    if (decoded) opj_image_destroy(decoded);
    free(memory.bytes);
  }
}
