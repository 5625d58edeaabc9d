// Made by scripts/make-grib-tables.py from the definitions of ecCodes 2.50.0, (C) Copyright 2005- ECMWF, which are licensed under
// the Apache Licence Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0) and were changed in form. Don't edit.

/** Common code table C-1 (GRIB 1): code, abbreviation, title. */
export const CENTRES_1 = `
0 0 Absent
1 ammc Melbourne (WMC)
2 2 Melbourne (WMC)
4 rums Moscow (WMC)
5 5 Moscow (WMC)
7 kwbc US National Weather Service - NCEP (WMC)
8 8 US National Weather Service - NWSTG (WMC)
9 9 US National Weather Service - Other (WMC)
10 10 Cairo (RSMC/RAFC)
12 12 Dakar (RSMC/RAFC)
14 14 Nairobi (RSMC/RAFC)
16 16 Atananarivo (RSMC)
18 18 Tunis-Casablanca (RSMC)
20 20 Las Palmas (RAFC)
21 21 Algiers (RSMC)
22 22 Lagos (RSMC)
24 fapr Pretoria (RSMC)
26 26 Khabarovsk (RSMC)
28 vabb New Delhi (IMD)
29 dems New Delhi (NCMRWF)
30 30 Novosibirsk (RSMC)
32 32 Tashkent (RSMC)
33 33 Jeddah (RSMC)
34 rjtd Japanese Meteorological Agency - Tokyo (RSMC)
36 36 Bankok
37 37 Ulan Bator
38 babj Beijing (RSMC)
40 rksl Seoul
41 sabm Buenos Aires (RSMC/RAFC)
43 43 Brasilia (RSMC/RAFC)
45 45 Santiago
46 sbsj Brasilian Space Agency - INPE
51 51 Miami (RSMC/RAFC)
52 52 National Hurricane Center, Miami
53 53 Canadian Meteorological Service - Montreal (RSMC)
54 cwao Canadian Meteorological Service - Montreal (RSMC)
55 55 San Francisco
57 57 U.S. Air Force - Global Weather Center
58 fnmo US Navy - Fleet Numerical Oceanography Center
59 59 NOAA Forecast Systems Lab, Boulder CO
60 60 National Center for Atmospheric Research (NCAR), Boulder, CO
64 64 Honolulu
65 65 Darwin (RSMC)
67 67 Melbourne (RSMC)
69 nzkl Wellington (RSMC/RAFC)
74 egrr U.K. Met Office - Exeter
76 76 Moscow (RSMC/RAFC)
78 edzw Offenbach (RSMC)
80 cnmc Rome (RSMC)
82 eswi Norrkoping
84 lfpw French Weather Service - Toulouse
85 lfpw French Weather Service - Toulouse
86 efkl Helsinki
87 87 Belgrade
88 enmi Oslo
89 89 Prague
90 90 Episkopi
91 91 Ankara
92 92 Frankfurt/Main (RAFC)
93 93 London (WAFC)
94 ekmi Copenhagen
95 95 Rota
96 96 Athens
97 97 European Space Agency (ESA)
98 ecmf European Centre for Medium-Range Weather Forecasts
99 knmi DeBilt, Netherlands
110 110 Hong-Kong
160 160 US NOAA/NESDIS
173 nasa US National Aeronautics and Space Administration (NASA)
195 wiix Indonesia (NMC)
204 niwa  National Institute of Water and Atmospheric Research (NIWA - New Zealand)
210 210  Frascati (ESA/ESRIN)
211 211  Lannion
212 212  Lisboa
213 birk Reykjavik
214 lemm INM Madrid
215 lssw Zurich
216 216  Service ARGOS Toulouse
218 habp Budapest
224 lowm Austria
227 ebum Belgium (NMC)
233 eidb Dublin
235 ingv INGV
239 crfc CERFAX
244 244 The former Yugoslav Republic of Macedonia (NMC)
245 245 Ukraine (NMC)
246 246 Republic of Moldova (NMC)
247 247 Operational Programme for the Exchange of weather RAdar information (OPERA) - EUMETNET
250 cosmo COnsortium for Small scale MOdelling (COSMO)
251 251 Meteorological Cooperation on Operational NWP (MetCoOp)
252 mpim Max Planck Institute for Meteorology (MPI-M)
254 eums EUMETSAT Operation Centre
255 consensus Consensus
`

/** Common code table C-11 (GRIB 2). */
export const CENTRES_2 = `
0 0 WMO Secretariat
1 ammc Melbourne (WMC)
2 2 Melbourne (WMC)
3 3 Melbourne (WMC)
4 rums Moscow (WMC)
5 5 Moscow (WMC)
6 6 Moscow (WMC)
7 kwbc US National Weather Service - NCEP (WMC)
8 8 US National Weather Service - NWSTG (WMC)
9 9 US National Weather Service - Other (WMC)
10 10 Cairo (RSMC/RAFC)
11 11 Cairo (RSMC/RAFC)
12 12 Dakar (RSMC/RAFC)
13 13 Dakar (RSMC/RAFC)
14 14 Nairobi (RSMC/RAFC)
15 15 Nairobi (RSMC/RAFC)
16 16 Casablanca (RSMC)
17 17 Tunis (RSMC)
18 18 Tunis-Casablanca (RSMC)
20 20 Las Palmas (RAFC)
21 21 Algiers (RSMC)
22 22 ACMAD
23 23 Mozambique (NMC)
24 fapr Pretoria (RSMC)
25 25 La Reunion (RSMC)
26 26 Khabarovsk (RSMC)
28 vabb New Delhi (IMD)
29 dems New Delhi (NCMRWF)
30 30 Novosibirsk (RSMC)
32 32 Tashkent (RSMC)
33 33 Jeddah (RSMC)
34 rjtd Japanese Meteorological Agency - Tokyo (RSMC)
36 36 Bangkok
37 37 Ulaanbaatar
38 babj Beijing (RSMC)
40 rksl Seoul
41 sabm Buenos Aires (RSMC/RAFC)
43 43 Brasilia (RSMC/RAFC)
45 45 Santiago
46 sbsj Brasilian Space Agency - INPE
47 47 Colombia (NMC)
48 48 Ecuador (NMC)
49 49 Peru (NMC)
50 50 Venezuela (Bolivarian Republic of) (NMC)
51 51 Miami (RSMC/RAFC)
52 52 National Hurricane Center, Miami
53 53 Canadian Meteorological Service - Montreal (RSMC)
54 cwao Canadian Meteorological Service - Montreal (RSMC)
55 55 San Francisco
56 56 ARINC Centre
57 57 U.S. Air Force - Global Weather Center
58 fnmo US Navy - Fleet Numerical Oceanography Center
59 59 NOAA Forecast Systems Lab, Boulder CO
60 60 National Center for Atmospheric Research (NCAR), Boulder, CO
61 61 Service ARGOS - Landover
62 62 US Naval Oceanographic Office
63 63 International Research Institute for Climate and Society (IRI)
64 64 Honolulu
65 65 Darwin (RSMC)
67 67 Melbourne (RSMC)
69 nzkl Wellington (RSMC/RAFC)
71 71 Nadi (RSMC)
72 72 Singapore
73 73 Malaysia (NMC)
74 egrr U.K. Met Office - Exeter
76 76 Moscow (RSMC/RAFC)
78 edzw Offenbach (RSMC)
80 cnmc Rome (RSMC)
82 eswi Norrkoping
84 lfpw French Weather Service - Toulouse
85 lfpw French Weather Service - Toulouse
86 efkl Helsinki
87 87 Belgrade
88 enmi Oslo
89 89 Prague
90 90 Episkopi
91 91 Ankara
92 92 Frankfurt/Main (RAFC)
93 93 London (WAFC)
94 ekmi Copenhagen
95 95 Rota
96 96 Athens
97 97 European Space Agency (ESA)
98 ecmf European Centre for Medium-Range Weather Forecasts
99 knmi DeBilt, Netherlands
100 100 Brazzaville
101 101 Abidjan
102 102 Libya (NMC)
103 103 Madagascar (NMC)
104 104 Mauritius (NMC)
105 105 Niger (NMC)
106 106 Seychelles (NMC)
107 107 Uganda (NMC)
108 108 United Republic of Tanzania (NMC)
109 109 Zimbabwe (NMC)
110 110 Hong Kong
111 111 Afghanistan (NMC)
112 112 Bahrain (NMC)
113 113 Bangladesh (NMC)
114 114 Bhutan (NMC)
115 115 Cambodia (NMC)
116 116 Democratic People's Republic of Korea (NMC)
117 117 Islamic Republic of Iran (NMC)
118 118 Iraq (NMC)
119 119 Kazakhstan (NMC)
120 120 Kuwait (NMC)
121 121 Kyrgyzstan (NMC)
122 122 Lao People's Democratic Republic (NMC)
123 123 "Macao  China"
124 124 Maldives (NMC)
125 125 Myanmar (NMC)
126 126 Nepal (NMC)
127 127 Oman (NMC)
128 128 Pakistan (NMC)
129 129 Qatar (NMC)
130 130 Yemen (NMC)
131 131 Sri Lanka (NMC)
132 132 Tajikistan (NMC)
133 133 Turkmenistan (NMC)
134 134 United Arab Emirates (NMC)
135 135 Uzbekistan (NMC)
136 136 Viet Nam (NMC)
140 140 Bolivia (Plurinational State of) (NMC)
141 141 Guyana (NMC)
142 142 Paraguay (NMC)
143 143 Suriname (NMC)
144 144 Uruguay (NMC)
145 145 French Guiana
146 146 Brazilian Navy Hydrographic Centre
147 147 National Commission on Space Activities (CONAE) - Argentina
148 148 Brazilian Department of Airspace Control - DECEA
150 150 Antigua and Barbuda (NMC)
151 151 Bahamas (NMC)
152 152 Barbados (NMC)
153 153 Belize (NMC)
154 154 British Caribbean Territories Centre
155 155 San Jose
156 156 Cuba (NMC)
157 157 Dominica (NMC)
158 158 Dominican Republic (NMC)
159 159 El Salvador (NMC)
160 160 US NOAA/NESDIS
161 161 US NOAA Office of Oceanic and Atmospheric Research
162 162 Guatemala (NMC)
163 163 Haiti (NMC)
164 164 Honduras (NMC)
165 165 Jamaica (NMC)
166 166 Mexico
167 167 Curacao and Sint Maarten (NMC)
168 168 Nicaragua (NMC)
169 169 Panama (NMC)
170 170 Saint Lucia (NMC)
171 171 Trinidad and Tobago (NMC)
172 172 French Departments in RA IV
173 nasa US National Aeronautics and Space Administration (NASA)
174 174 Integrated Science Data Management/Marine Environmental Data Service (ISDM/MEDS - Canada)
175 175 University Corporation for Atmospheric Research (UCAR) - United States
176 176 Cooperative Institute for Meteorological Satellite Studies (CIMSS) - United States
177 177 NOAA National Ocean Service - United States
178 178 Spire Global, Inc.
179 179 GeoOptics, Inc.
180 180 PlanetiQ
181 181 Atmospheric and Environmental Research (AER)
182 182 tomorrow.io
183 183 Scripps Institute of Oceanography (UC San Diego - United States)
190 190 Cook Islands (NMC)
191 191 French Polynesia (NMC)
192 192 Tonga (NMC)
193 193 Vanuatu (NMC)
194 194 Brunei Darussalam (NMC)
195 wiix Indonesia (NMC)
196 196 Kiribati (NMC)
197 197 Federated States of Micronesia (NMC)
198 198 New Caledonia (NMC)
199 199 Niue
200 200 Papua New Guinea (NMC)
201 201 Philippines (NMC)
202 202 Samoa (NMC)
203 203 Solomon Islands (NMC)
204 niwa  National Institute of Water and Atmospheric Research (NIWA - New Zealand)
210 210  Frascati (ESA/ESRIN)
211 211  Lannion
212 212  Lisboa
213 birk Reykjavik
214 lemm INM Madrid
215 lssw Zurich
216 216  Service ARGOS Toulouse
217 217 Bratislava
218 habp Budapest
219 219 Ljubljana
220 220 Warsaw
221 221 Zagreb
222 222 Albania (NMC)
223 223 Armenia (NMC)
224 lowm Austria
225 225 Azerbaijan (NMC)
226 226 Belarus (NMC)
227 ebum Belgium (NMC)
228 228 Bosnia and Herzegovina (NMC)
229 229 Bulgaria (NMC)
230 230 Cyprus (NMC)
231 231 Estonia (NMC)
232 232 Georgia (NMC)
233 eidb Dublin
234 234 Israel (NMC)
235 ingv INGV
236 236 Latvia (NMC)
237 237 Lebanon (NMC)
238 238 Lithuania (NMC)
239 crfc CERFAX
240 240 Malta (NMC)
241 241 Monaco
242 242 Romania (NMC)
243 243 Syrian Arab Republic (NMC)
244 244 The former Yugoslav Republic of Macedonia (NMC)
245 245 Ukraine (NMC)
246 246 Republic of Moldova (NMC)
247 247 Operational Programme for the Exchange of weather RAdar information (OPERA) - EUMETNET
248 248 Montenegro (NMC)
249 249 Barcelona Dust Forecast Center
250 cosmo COnsortium for Small scale MOdelling (COSMO)
251 251 Meteorological Cooperation on Operational NWP (MetCoOp)
252 mpim Max Planck Institute for Meteorology (MPI-M)
253 253 Alfred Wegener Institute (AWI)
254 eums EUMETSAT Operation Centre
255 255 Not to be used
256 256 Angola (NMC)
257 257 Benin (NMC)
258 258 Botswana (NMC)
259 259 Burkina Faso (NMC)
260 260 Burundi (NMC)
261 261 Cameroon (NMC)
262 262 Cabo Verde (NMC)
263 263 Central African Republic (NMC)
264 264 Chad (NMC)
265 265 Comoros (NMC)
266 266 Democratic Republic of the Congo (NMC)
267 267 Djibouti (NMC)
268 268 Eritrea (NMC)
269 269 Ethiopia (NMC)
270 270 Gabon (NMC)
271 271 Gambia (NMC)
272 272 Ghana (NMC)
273 273 Guinea (NMC)
274 274 Guinea-Bissau (NMC)
275 275 Lesotho (NMC)
276 276 Liberia (NMC)
277 277 Malawi (NMC)
278 278 Mali (NMC)
279 279 Mauritania (NMC)
280 280 Namibia (NMC)
281 281 Nigeria (NMC)
282 282 Rwanda (NMC)
283 283 Sao Tome and Principe (NMC)
284 284 Sierra Leone (NMC)
285 285 Somalia (NMC)
286 286 Sudan (NMC)
287 287 Eswatini (NMC)
288 288 Togo (NMC)
289 289 Zambia (NMC)
290 290 EUMETNET E-Profile
291 anso Alliance of International Science Organizations (Beijing, China)
292 ufz Helmholtz Centre for Environmental Research
293 293 University of Bremen
294 294 Netherlands Institute for Space Research (SRON)
295 295 Royal Belgian Institute for Space Aeronomy (BIRA-IASB)
296 296 French National Centre for Scientific Research (CNRS)
297 297 Nanjing Institute of Environmental Sciences (NIES)
298 298 Dynamic Meteorology Laboratory (LMD)
299 299 The Rutherford Appleton Laboratory (RAL)
300 300 Greek Atomic Energy Commission (Greece)
301 301 United States Environmental Protection Agency (USA)
302 302 Australian Radiation Protection and Nuclear Safety (Australia)
303 303 Authority for Nuclear Safety and Radiation Protection (Kingdom of the Netherlands)
304 304 Autorite de surete nucleaire (France)
305 305 Bundesamt für Strahlenschutz (Germany)
306 306 National Commission for Nuclear Activities Control (Romania)
307 307 Consejo de Seguridad Nuclear (Spain)
308 308 Danish Emergency Management Agency (Denmark)
309 309 Norwegian Radiation Protection Agency (Norway)
310 310 Federal Agency for Nuclear Control (Belgium)
311 311 Institute of Radiation Protection and Dosimetry (Brazil)
312 312 National Inspectorate for Nuclear Safety and Radiation Protection (Italy)
313 313 Nuclear Regulatory Authority (Turkiye)
314 314 Nuclear Regulation Authority (Japan)
315 315 Nuclear Regulatory Agency (Bulgaria)
316 316 Ukrainian Radiation Protection Institute (Ukraine)
317 317 Health Canada Radio Protection Bureau (Canada)
318 318 Portuguese Society for Radiation Protection (Portugal)
319 319 Swedish Radiation Safety Authority (Sweden)
320 320 Radiation and Nuclear Safety Authority (Finland)
321 321 State Office for Nuclear Safety (Czechia)
322 322 Nuclear Regulation Authority (Slovakia)
323 wpmip Weather Prediction Model Intercomparison Project (WP-MIP)
65535 65535 Missing value
`

/** Code table 6 (GRIB 1). */
export const GRID_TITLES_1 = `
0 ll Latitude/Longitude Grid
1 mm Mercator Projection Grid
2 gp Gnomonic Projection Grid
3 lc Lambert Conformal
4 gg Gaussian Latitude/Longitude Grid
5 ps Polar Stereographic Projection Grid
6 6  Universal Transverse Mercator
7 7  Simple polyconic projection
8 8 Albers equal-area, secant or tangent, conic or bi-polar
9 9 Miller's cylingrical projection
10 10 Rotated Latitude/Longitude grid
13 ol Oblique Lambert conformal
14 14 Rotated Gaussian latitude/longitude grid
20 20 Stretched latitude/longitude grid
24 24 Stretched Gaussian latitude/longitude
30 30 Stretched and rotated latitude/longitude
34 34 Stretched and rotated Gaussian latitude/longitude
50 sh Spherical Harmonic Coefficients
60 60 Rotated Spherical Harmonic coefficients
70 70 Stretched Spherical Harmonic coefficients
80 80 Stretched and rotated Spherical Harmonic
90 sv Space view perspective or orthographic grid
193 193 Quasi-regular latitude/longitude
`

/** Code table 1.4 (GRIB 2). */
export const PROCESSED_DATA = `
0 an Analysis products
1 fc Forecast products
2 af Analysis and forecast products
3 cf Control forecast products
4 pf Perturbed forecast products
5 cp Control and perturbed forecast products
6 sa Processed satellite observations
7 ra Processed radar observations
8 ep Event probability
9 9 Experimental data
10 10 ML based forecast
255 missing Missing
`

/** ECMWF's types of data. */
export const MARS_TYPES = `
0 0 Unknown
1 fg First guess
2 an Analysis
3 ia Initialised analysis
4 oi Oi analysis
5 3v 3d variational analysis
6 4v 4d variational analysis
7 3g 3d variational gradients
8 4g 4d variational gradients
9 fc Forecast
10 cf Control forecast
11 pf Perturbed forecast
12 ef Errors in first guess
13 ea Errors in analysis
14 cm Cluster means
15 cs Cluster std deviations
16 fp Forecast probability
17 em Ensemble mean
18 es Ensemble standard deviation
19 fa Forecast accumulation
20 cl Climatology
21 si Climate simulation
22 s3 Climate 30 days simulation
23 ed Empirical distribution
24 tu Tubes
25 ff Flux forcing realtime
26 of Ocean forward
27 efi Extreme forecast index
28 efic Extreme forecast index control
29 pb Probability boundaries
30 ep Event probability
31 bf Bias-corrected forecast
32 cd Climate distribution
33 4i 4D analysis increments
34 go Gridded observations
35 me Model errors
36 pd Probability distribution
37 ci Cluster information
38 sot Shift of Tail
39 eme Ensemble data assimilation model errors
40 im Images
42 sim Simulated images
43 wem Weighted ensemble mean
44 wes Weighted ensemble standard deviation
45 cr Cluster representative
46 ses Scaled ensemble standard deviation
47 taem Time average ensemble mean
48 taes Time average ensemble standard deviation
50 sg Sensitivity gradient
52 sf Sensitivity forecast
60 pa Perturbed analysis
61 icp Initial condition perturbation
62 sv Singular vector
63 as Adjoint singular vector
64 svar Signal variance
65 cv Calibration/Validation forecast
70 or Ocean reanalysis
71 fx Flux forcing
72 fu Fill-up
73 sfo Simulations with forcing
74 tpa Time processed analysis
75 if Interim forecast
80 fcmean Forecast mean
81 fcmax Forecast maximum
82 fcmin Forecast minimum
83 fcstdev Forecast standard deviation
86 hcmean Hindcast climate mean
87 ssd Simulated satellite data
88 gsd Gridded satellite data
89 ga GFAS analysis
90 gai Gridded analysis input
91 gbf Bias-corrected gridbox
92 pfc Point values
93 ppm Point value metrics
94 gwt Weather types
95 est Ensemble statistics
96 mpp Model physics perturbations
97 cpf Crossing-point forecast
98 emdn Ensemble median
`

/** Code table 3.1 (GRIB 2). */
export const GRID_TITLES_2 = `
0 0 Latitude/longitude (Also called equidistant cylindrical, or Plate Carree)
1 1 Rotated latitude/longitude
2 2 Stretched latitude/longitude
3 3 Stretched and rotated latitude/longitude
4 4 Variable resolution latitude/longitude
5 5 Variable resolution rotated latitude/longitude
10 10 Mercator
12 12 Transverse Mercator
13 13 Mercator with modelling subdomains definition
20 20 Polar stereographic projection (Can be south or north)
23 23 Polar stereographic with modelling subdomains definition
30 30 Lambert conformal (Can be secant or tangent, conical or bipolar)
31 31 Albers equal area
33 33 Lambert conformal with modelling subdomains definition
40 40 Gaussian latitude/longitude
41 41 Rotated Gaussian latitude/longitude
42 42 Stretched Gaussian latitude/longitude
43 43 Stretched and rotated Gaussian latitude/longitude
50 50 Spherical harmonic coefficients
51 51 Rotated spherical harmonic coefficients
52 52 Stretched spherical harmonic coefficients
53 53 Stretched and rotated spherical harmonic coefficients
61 61 Spectral Mercator with modelling subdomains definition
62 62 Spectral polar stereographic with modelling subdomains definition
63 63 Spectral Lambert conformal with modelling subdomains definition
90 90 Space view perspective or orthographic
100 100 Triangular grid based on an icosahedron
101 101 General unstructured grid
110 110 Equatorial azimuthal equidistant projection
120 120 Azimuth-range projection
140 140 Lambert azimuthal equal area projection
150 150 Hierarchical Equal Area isoLatitude Pixelization grid (HEALPix)
1000 1000 Cross-section grid with points equally spaced on the horizontal
1100 1100 Hovmoller diagram grid with points equally spaced on the horizontal
1200 1200 Time section grid
65535 65535 Missing
`

/** Types of levels and steps: kind, edition and centre, name, conditions. */
export const LEVELS = `
level 1/ecmf entireAtmosphere indicatorOfTypeOfLevel=200 level=0
level 1/ecmf entireOcean indicatorOfTypeOfLevel=201 level=0
level 1/ecmf oceanWave indicatorOfTypeOfLevel=211
level 1/ecmf oceanMixedLayer indicatorOfTypeOfLevel=212
level 1/edzw surface indicatorOfTypeOfLevel=1
level 1/edzw cloudBase indicatorOfTypeOfLevel=2
level 1/edzw cloudTop indicatorOfTypeOfLevel=3
level 1/edzw isothermZero indicatorOfTypeOfLevel=4
level 1/edzw adiabaticCondensation indicatorOfTypeOfLevel=5
level 1/edzw maxWind indicatorOfTypeOfLevel=6
level 1/edzw tropopause indicatorOfTypeOfLevel=7
level 1/edzw nominalTop indicatorOfTypeOfLevel=8
level 1/edzw seaBottom indicatorOfTypeOfLevel=9
level 1/edzw isobaricInhPa indicatorOfTypeOfLevel=100
level 1/edzw isobaricInPa indicatorOfTypeOfLevel=210
level 1/edzw isobaricLayer indicatorOfTypeOfLevel=101
level 1/edzw meanSea indicatorOfTypeOfLevel=102
level 1/edzw isobaricLayerHighPrecision indicatorOfTypeOfLevel=121
level 1/edzw isobaricLayerMixedPrecision indicatorOfTypeOfLevel=141
level 1/edzw heightAboveSea indicatorOfTypeOfLevel=103
level 1/edzw heightAboveSeaLayer indicatorOfTypeOfLevel=104
level 1/edzw heightAboveGroundHighPrecision indicatorOfTypeOfLevel=125
level 1/edzw heightAboveGround indicatorOfTypeOfLevel=105
level 1/edzw heightAboveGroundLayer indicatorOfTypeOfLevel=106
level 1/edzw sigma indicatorOfTypeOfLevel=107
level 1/edzw sigmaLayer indicatorOfTypeOfLevel=108
level 1/edzw sigmaLayerHighPrecision indicatorOfTypeOfLevel=128
level 1/edzw hybrid indicatorOfTypeOfLevel=109
level 1/edzw hybridLayer indicatorOfTypeOfLevel=110
level 1/edzw depthBelowLand indicatorOfTypeOfLevel=111
level 1/edzw depthBelowLandLayer indicatorOfTypeOfLevel=112
level 1/edzw theta indicatorOfTypeOfLevel=113
level 1/edzw thetaLayer indicatorOfTypeOfLevel=114
level 1/edzw pressureFromGround indicatorOfTypeOfLevel=115
level 1/edzw pressureFromGroundLayer indicatorOfTypeOfLevel=116
level 1/edzw potentialVorticity indicatorOfTypeOfLevel=117
level 1/edzw depthBelowSea indicatorOfTypeOfLevel=160
level 1/edzw entireAtmosphere indicatorOfTypeOfLevel=200 level=0
level 1/edzw entireOcean indicatorOfTypeOfLevel=201 level=0
level 1/edzw oceanWave indicatorOfTypeOfLevel=211
level 1/edzw oceanMixedLayer indicatorOfTypeOfLevel=212
level 1/edzw synSat indicatorOfTypeOfLevel=222
level 1/eidb surface indicatorOfTypeOfLevel=1
level 1/eidb cloudBase indicatorOfTypeOfLevel=2
level 1/eidb cloudTop indicatorOfTypeOfLevel=3
level 1/eidb isothermZero indicatorOfTypeOfLevel=4
level 1/eidb adiabaticCondensation indicatorOfTypeOfLevel=5
level 1/eidb maxWind indicatorOfTypeOfLevel=6
level 1/eidb tropopause indicatorOfTypeOfLevel=7
level 1/eidb nominalTop indicatorOfTypeOfLevel=8
level 1/eidb seaBottom indicatorOfTypeOfLevel=9
level 1/eidb isobaricInhPa indicatorOfTypeOfLevel=100
level 1/eidb isobaricLayer indicatorOfTypeOfLevel=101
level 1/eidb meanSea indicatorOfTypeOfLevel=102
level 1/eidb isobaricLayerHighPrecision indicatorOfTypeOfLevel=121
level 1/eidb isobaricLayerMixedPrecision indicatorOfTypeOfLevel=141
level 1/eidb heightAboveSea indicatorOfTypeOfLevel=103
level 1/eidb heightAboveSeaLayer indicatorOfTypeOfLevel=104
level 1/eidb heightAboveGroundHighPrecision indicatorOfTypeOfLevel=125
level 1/eidb heightAboveGround indicatorOfTypeOfLevel=105
level 1/eidb heightAboveGroundLayer indicatorOfTypeOfLevel=106
level 1/eidb sigma indicatorOfTypeOfLevel=107
level 1/eidb sigmaLayer indicatorOfTypeOfLevel=108
level 1/eidb sigmaLayerHighPrecision indicatorOfTypeOfLevel=128
level 1/eidb hybrid indicatorOfTypeOfLevel=109
level 1/eidb hybridLayer indicatorOfTypeOfLevel=110
level 1/eidb depthBelowLand indicatorOfTypeOfLevel=111
level 1/eidb depthBelowLandLayer indicatorOfTypeOfLevel=112
level 1/eidb theta indicatorOfTypeOfLevel=113
level 1/eidb thetaLayer indicatorOfTypeOfLevel=114
level 1/eidb pressureFromGround indicatorOfTypeOfLevel=115
level 1/eidb pressureFromGroundLayer indicatorOfTypeOfLevel=116
level 1/eidb potentialVorticity indicatorOfTypeOfLevel=117
level 1/eidb depthBelowSea indicatorOfTypeOfLevel=160
level 1/eidb northTile indicatorOfTypeOfLevel=191
level 1/eidb northEastTile indicatorOfTypeOfLevel=192
level 1/eidb eastTile indicatorOfTypeOfLevel=193
level 1/eidb southEastTile indicatorOfTypeOfLevel=194
level 1/eidb southTile indicatorOfTypeOfLevel=195
level 1/eidb southWestTile indicatorOfTypeOfLevel=196
level 1/eidb westTile indicatorOfTypeOfLevel=197
level 1/eidb northWestTile indicatorOfTypeOfLevel=198
level 1/eidb entireAtmosphere indicatorOfTypeOfLevel=200
level 1/eidb entireOcean indicatorOfTypeOfLevel=201
level 1/eswi surface indicatorOfTypeOfLevel=1
level 1/eswi cloudBase indicatorOfTypeOfLevel=2
level 1/eswi cloudTop indicatorOfTypeOfLevel=3
level 1/eswi isothermZero indicatorOfTypeOfLevel=4
level 1/eswi adiabaticCondensation indicatorOfTypeOfLevel=5
level 1/eswi maxWind indicatorOfTypeOfLevel=6
level 1/eswi tropopause indicatorOfTypeOfLevel=7
level 1/eswi nominalTop indicatorOfTypeOfLevel=8
level 1/eswi seaBottom indicatorOfTypeOfLevel=9
level 1/eswi isobaricInhPa indicatorOfTypeOfLevel=100
level 1/eswi isobaricLayer indicatorOfTypeOfLevel=101
level 1/eswi meanSea indicatorOfTypeOfLevel=102
level 1/eswi isobaricLayerHighPrecision indicatorOfTypeOfLevel=121
level 1/eswi isobaricLayerMixedPrecision indicatorOfTypeOfLevel=141
level 1/eswi heightAboveSea indicatorOfTypeOfLevel=103
level 1/eswi heightAboveSeaLayer indicatorOfTypeOfLevel=104
level 1/eswi heightAboveGroundHighPrecision indicatorOfTypeOfLevel=125
level 1/eswi heightAboveGround indicatorOfTypeOfLevel=105
level 1/eswi heightAboveGroundLayer indicatorOfTypeOfLevel=106
level 1/eswi sigma indicatorOfTypeOfLevel=107
level 1/eswi sigmaLayer indicatorOfTypeOfLevel=108
level 1/eswi sigmaLayerHighPrecision indicatorOfTypeOfLevel=128
level 1/eswi hybrid indicatorOfTypeOfLevel=109
level 1/eswi hybridLayer indicatorOfTypeOfLevel=110
level 1/eswi depthBelowLand indicatorOfTypeOfLevel=111
level 1/eswi depthBelowLandLayer indicatorOfTypeOfLevel=112
level 1/eswi theta indicatorOfTypeOfLevel=113
level 1/eswi thetaLayer indicatorOfTypeOfLevel=114
level 1/eswi pressureFromGround indicatorOfTypeOfLevel=115
level 1/eswi pressureFromGroundLayer indicatorOfTypeOfLevel=116
level 1/eswi potentialVorticity indicatorOfTypeOfLevel=117
level 1/eswi depthBelowSea indicatorOfTypeOfLevel=160
level 1/eswi northTile indicatorOfTypeOfLevel=191
level 1/eswi northEastTile indicatorOfTypeOfLevel=192
level 1/eswi eastTile indicatorOfTypeOfLevel=193
level 1/eswi southEastTile indicatorOfTypeOfLevel=194
level 1/eswi southTile indicatorOfTypeOfLevel=195
level 1/eswi southWestTile indicatorOfTypeOfLevel=196
level 1/eswi westTile indicatorOfTypeOfLevel=197
level 1/eswi northWestTile indicatorOfTypeOfLevel=198
level 1/eswi entireAtmosphere indicatorOfTypeOfLevel=200
level 1/eswi entireOcean indicatorOfTypeOfLevel=201
level 1/rjtd surface indicatorOfTypeOfLevel=1
level 1/rjtd cloudBase indicatorOfTypeOfLevel=2
level 1/rjtd cloudTop indicatorOfTypeOfLevel=3
level 1/rjtd isothermZero indicatorOfTypeOfLevel=4
level 1/rjtd adiabaticCondensation indicatorOfTypeOfLevel=5
level 1/rjtd maxWind indicatorOfTypeOfLevel=6
level 1/rjtd tropopause indicatorOfTypeOfLevel=7
level 1/rjtd nominalTop indicatorOfTypeOfLevel=8
level 1/rjtd seaBottom indicatorOfTypeOfLevel=9
level 1/rjtd isobaricInhPa indicatorOfTypeOfLevel=100
level 1/rjtd isobaricInPa indicatorOfTypeOfLevel=210
level 1/rjtd isobaricLayer indicatorOfTypeOfLevel=101
level 1/rjtd meanSea indicatorOfTypeOfLevel=102
level 1/rjtd isobaricLayerHighPrecision indicatorOfTypeOfLevel=121
level 1/rjtd isobaricLayerMixedPrecision indicatorOfTypeOfLevel=141
level 1/rjtd heightAboveSea indicatorOfTypeOfLevel=103
level 1/rjtd heightAboveSeaLayer indicatorOfTypeOfLevel=104
level 1/rjtd heightAboveGroundHighPrecision indicatorOfTypeOfLevel=125
level 1/rjtd heightAboveGround indicatorOfTypeOfLevel=105
level 1/rjtd heightAboveGroundLayer indicatorOfTypeOfLevel=106
level 1/rjtd sigma indicatorOfTypeOfLevel=107
level 1/rjtd sigmaLayer indicatorOfTypeOfLevel=108
level 1/rjtd sigmaLayerHighPrecision indicatorOfTypeOfLevel=128
level 1/rjtd hybrid indicatorOfTypeOfLevel=109
level 1/rjtd hybridLayer indicatorOfTypeOfLevel=110
level 1/rjtd depthBelowLand indicatorOfTypeOfLevel=111
level 1/rjtd depthBelowLandLayer indicatorOfTypeOfLevel=112
level 1/rjtd theta indicatorOfTypeOfLevel=113
level 1/rjtd thetaLayer indicatorOfTypeOfLevel=114
level 1/rjtd pressureFromGround indicatorOfTypeOfLevel=115
level 1/rjtd pressureFromGroundLayer indicatorOfTypeOfLevel=116
level 1/rjtd potentialVorticity indicatorOfTypeOfLevel=117
level 1/rjtd depthBelowSea indicatorOfTypeOfLevel=160
level 1/rjtd entireAtmosphere indicatorOfTypeOfLevel=200 level=0
level 1/rjtd entireOcean indicatorOfTypeOfLevel=201 level=0
level 1/rjtd deepSoil indicatorOfTypeOfLevel=211
level 1/rjtd subSurface indicatorOfTypeOfLevel=212
level 1/rjtd threeLayers indicatorOfTypeOfLevel=213
level 1/ surface indicatorOfTypeOfLevel=1
level 1/ cloudBase indicatorOfTypeOfLevel=2
level 1/ cloudTop indicatorOfTypeOfLevel=3
level 1/ isothermZero indicatorOfTypeOfLevel=4
level 1/ adiabaticCondensation indicatorOfTypeOfLevel=5
level 1/ maxWind indicatorOfTypeOfLevel=6
level 1/ tropopause indicatorOfTypeOfLevel=7
level 1/ nominalTop indicatorOfTypeOfLevel=8
level 1/ seaBottom indicatorOfTypeOfLevel=9
level 1/ isobaricInhPa indicatorOfTypeOfLevel=100
level 1/ isobaricInPa indicatorOfTypeOfLevel=210
level 1/ isobaricLayer indicatorOfTypeOfLevel=101
level 1/ meanSea indicatorOfTypeOfLevel=102
level 1/ isobaricLayerHighPrecision indicatorOfTypeOfLevel=121
level 1/ isobaricLayerMixedPrecision indicatorOfTypeOfLevel=141
level 1/ heightAboveSea indicatorOfTypeOfLevel=103
level 1/ heightAboveSeaLayer indicatorOfTypeOfLevel=104
level 1/ heightAboveGroundHighPrecision indicatorOfTypeOfLevel=125
level 1/ heightAboveGround indicatorOfTypeOfLevel=105
level 1/ heightAboveGroundLayer indicatorOfTypeOfLevel=106
level 1/ sigma indicatorOfTypeOfLevel=107
level 1/ sigmaLayer indicatorOfTypeOfLevel=108
level 1/ sigmaLayerHighPrecision indicatorOfTypeOfLevel=128
level 1/ hybrid indicatorOfTypeOfLevel=109
level 1/ hybridLayer indicatorOfTypeOfLevel=110
level 1/ depthBelowLand indicatorOfTypeOfLevel=111
level 1/ depthBelowLandLayer indicatorOfTypeOfLevel=112
level 1/ theta indicatorOfTypeOfLevel=113
level 1/ thetaLayer indicatorOfTypeOfLevel=114
level 1/ pressureFromGround indicatorOfTypeOfLevel=115
level 1/ pressureFromGroundLayer indicatorOfTypeOfLevel=116
level 1/ potentialVorticity indicatorOfTypeOfLevel=117
level 1/ depthBelowSea indicatorOfTypeOfLevel=160
level 1/ entireAtmosphere indicatorOfTypeOfLevel=200
level 1/ entireOcean indicatorOfTypeOfLevel=201
level 1/ abstractSingleLevel indicatorOfTypeOfLevel=202 level=m
level 1/ abstractMultipleLevels indicatorOfTypeOfLevel=203
level 2/ecmf flightLevel scaleFactorOfSecondFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=193 typeOfSecondFixedSurface=255
level 2/ecmf abstractLevel scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=254 typeOfSecondFixedSurface=255
level 2/ecmf abstractLevel typeOfFirstFixedSurface=254 typeOfSecondFixedSurface=255
level 2/era6 abstractLevel typeOfFirstFixedSurface=254
level 2/kwbc atmosphereSingleLayer typeOfFirstFixedSurface=200
level 2/kwbc oceanSingleLayer typeOfFirstFixedSurface=201
level 2/kwbc highestTroposphericFreezing typeOfFirstFixedSurface=204
level 2/kwbc gridScaleCloudBottom typeOfFirstFixedSurface=206
level 2/kwbc gridScaleCloudTop typeOfFirstFixedSurface=207
level 2/kwbc boundaryLayerCloudBottom typeOfFirstFixedSurface=209
level 2/kwbc boundaryLayerCloudTop typeOfFirstFixedSurface=210
level 2/kwbc boundaryLayerCloudLayer typeOfFirstFixedSurface=211
level 2/kwbc lowCloudBottom typeOfFirstFixedSurface=212
level 2/kwbc lowCloudTop typeOfFirstFixedSurface=213
level 2/kwbc lowCloudLayer typeOfFirstFixedSurface=214
level 2/kwbc cloudCeiling typeOfFirstFixedSurface=215
level 2/kwbc planetaryBoundaryLayer typeOfFirstFixedSurface=220
level 2/kwbc layerBetween2Hybrids typeOfFirstFixedSurface=221
level 2/kwbc middleCloudBottom typeOfFirstFixedSurface=222
level 2/kwbc middleCloudTop typeOfFirstFixedSurface=223
level 2/kwbc middleCloudLayer typeOfFirstFixedSurface=224
level 2/kwbc highCloudBottom typeOfFirstFixedSurface=232
level 2/kwbc highCloudTop typeOfFirstFixedSurface=233
level 2/kwbc highCloudLayer typeOfFirstFixedSurface=234
level 2/kwbc oceanIsotherm typeOfFirstFixedSurface=235
level 2/kwbc oceanMixedLayer typeOfFirstFixedSurface=240
level 2/kwbc orderedSequenceData typeOfFirstFixedSurface=241
level 2/kwbc convectiveCloudBottom typeOfFirstFixedSurface=242
level 2/kwbc convectiveCloudTop typeOfFirstFixedSurface=243
level 2/kwbc convectiveCloudLayer typeOfFirstFixedSurface=244
level 2/kwbc lowestLevelWetBulb0 typeOfFirstFixedSurface=245
level 2/kwbc equilibrium typeOfFirstFixedSurface=247
level 2/kwbc shallowConvectiveCloudBottom typeOfFirstFixedSurface=248
level 2/kwbc shallowConvectiveCloudTop typeOfFirstFixedSurface=249
level 2/kwbc deepConvectiveCloudBottom typeOfFirstFixedSurface=251
level 2/kwbc deepConvectiveCloudTop typeOfFirstFixedSurface=252
level 2/ surface scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=255
level 2/ surface typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=255
level 2/ troposphere scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=7
level 2/ entireAtmosphere scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=8
level 2/ entireAtmosphere typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=8
level 2/ entireOcean typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=9
level 2/ entireLake scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=162
level 2/ entireLake typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=162
level 2/ cloudBase scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=2 typeOfSecondFixedSurface=255
level 2/ cloudBase typeOfFirstFixedSurface=2 typeOfSecondFixedSurface=255
level 2/ cloudTop typeOfFirstFixedSurface=3 typeOfSecondFixedSurface=255
level 2/ isothermZero typeOfFirstFixedSurface=4 typeOfSecondFixedSurface=255
level 2/ adiabaticCondensation typeOfFirstFixedSurface=5 typeOfSecondFixedSurface=255
level 2/ maxWind typeOfFirstFixedSurface=6 typeOfSecondFixedSurface=255
level 2/ tropopause scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=7 typeOfSecondFixedSurface=255
level 2/ tropopause typeOfFirstFixedSurface=7 typeOfSecondFixedSurface=255
level 2/ stratopause scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=36 typeOfSecondFixedSurface=255
level 2/ hygropause scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=37 typeOfSecondFixedSurface=255
level 2/ stratosphere scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=7 typeOfSecondFixedSurface=36
level 2/ nominalTop scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=8 typeOfSecondFixedSurface=255
level 2/ nominalTop typeOfFirstFixedSurface=8 typeOfSecondFixedSurface=255
level 2/ seaBottom typeOfFirstFixedSurface=9 typeOfSecondFixedSurface=255
level 2/ atmosphere typeOfFirstFixedSurface=10 typeOfSecondFixedSurface=255
level 2/ cumulonimbusBase typeOfFirstFixedSurface=11 typeOfSecondFixedSurface=255
level 2/ cumulonimbusTop typeOfFirstFixedSurface=12 typeOfSecondFixedSurface=255
level 2/ freeConvection typeOfFirstFixedSurface=14 typeOfSecondFixedSurface=255
level 2/ convectiveCondensation typeOfFirstFixedSurface=15 typeOfSecondFixedSurface=255
level 2/ neutralBuoyancy typeOfFirstFixedSurface=16 typeOfSecondFixedSurface=255
level 2/ mostUnstableParcel scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=17 typeOfSecondFixedSurface=255
level 2/ mostUnstableParcel typeOfFirstFixedSurface=17 typeOfSecondFixedSurface=255
level 2/ mixedLayerParcel scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=18 typeOfSecondFixedSurface=255
level 2/ mixedLayerParcel typeOfFirstFixedSurface=18 typeOfSecondFixedSurface=255
level 2/ EffectiveInflowLayerBase scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=28 typeOfSecondFixedSurface=255
level 2/ EffectiveInflowLayerTop scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=29 typeOfSecondFixedSurface=255
level 2/ EffectiveInflowLayer scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=28 typeOfSecondFixedSurface=29
level 2/ lowestLevelOfCloudCoverExceedance typeOfFirstFixedSurface=19 typeOfSecondFixedSurface=255
level 2/ isothermal typeOfFirstFixedSurface=20 typeOfSecondFixedSurface=255
level 2/ isobaricInPa pressureUnits=Pa typeOfFirstFixedSurface=100 typeOfSecondFixedSurface=255
level 2/ isobaricInhPa pressureUnits=hPa typeOfFirstFixedSurface=100 typeOfSecondFixedSurface=255
level 2/ isobaricLayer typeOfFirstFixedSurface=100 typeOfSecondFixedSurface=100
level 2/ lowCloudLayer scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=0 scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=80000 typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=100
level 2/ lowCloudLayer scaleFactorOfSecondFixedSurface=0 scaledValueOfSecondFixedSurface=80000 typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=100
level 2/ mediumCloudLayer scaleFactorOfFirstFixedSurface=0 scaleFactorOfSecondFixedSurface=0 scaledValueOfFirstFixedSurface=80000 scaledValueOfSecondFixedSurface=45000 typeOfFirstFixedSurface=100 typeOfSecondFixedSurface=100
level 2/ highCloudLayer scaleFactorOfFirstFixedSurface=0 scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=45000 scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=100 typeOfSecondFixedSurface=8
level 2/ highCloudLayer scaleFactorOfFirstFixedSurface=0 scaledValueOfFirstFixedSurface=45000 typeOfFirstFixedSurface=100 typeOfSecondFixedSurface=8
level 2/ meanSea scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=101 typeOfSecondFixedSurface=255
level 2/ meanSea typeOfFirstFixedSurface=101 typeOfSecondFixedSurface=255
level 2/ heightAboveSea typeOfFirstFixedSurface=102 typeOfSecondFixedSurface=255
level 2/ heightAboveSeaLayer typeOfFirstFixedSurface=102 typeOfSecondFixedSurface=102
level 2/ heightAboveGround typeOfFirstFixedSurface=103 typeOfSecondFixedSurface=255
level 2/ heightAboveGroundLayer typeOfFirstFixedSurface=103 typeOfSecondFixedSurface=103
level 2/ sigma typeOfFirstFixedSurface=104 typeOfSecondFixedSurface=255
level 2/ sigmaLayer typeOfFirstFixedSurface=104 typeOfSecondFixedSurface=104
level 2/ hybrid typeOfFirstFixedSurface=105 typeOfSecondFixedSurface=255
level 2/ hybridLayer typeOfFirstFixedSurface=105 typeOfSecondFixedSurface=105
level 2/ depthBelowLand typeOfFirstFixedSurface=106 typeOfSecondFixedSurface=255
level 2/ depthBelowLandLayer typeOfFirstFixedSurface=106 typeOfSecondFixedSurface=106
level 2/ theta typeOfFirstFixedSurface=107 typeOfSecondFixedSurface=255
level 2/ thetaLayer typeOfFirstFixedSurface=107 typeOfSecondFixedSurface=107
level 2/ pressureFromGround typeOfFirstFixedSurface=108 typeOfSecondFixedSurface=255
level 2/ pressureFromGroundLayer typeOfFirstFixedSurface=108 typeOfSecondFixedSurface=108
level 2/ potentialVorticity typeOfFirstFixedSurface=109 typeOfSecondFixedSurface=255
level 2/ eta typeOfFirstFixedSurface=111 typeOfSecondFixedSurface=255
level 2/ snow typeOfFirstFixedSurface=114 typeOfSecondFixedSurface=255
level 2/ snowLayer typeOfFirstFixedSurface=114 typeOfSecondFixedSurface=114
level 2/ mixedLayerDepthGeneric typeOfFirstFixedSurface=117 typeOfSecondFixedSurface=255
level 2/ hybridHeight typeOfFirstFixedSurface=118 typeOfSecondFixedSurface=255
level 2/ hybridPressure typeOfFirstFixedSurface=119 typeOfSecondFixedSurface=255
level 2/ generalVertical NV=6 genVertHeightCoords=1 typeOfFirstFixedSurface=150
level 2/ generalVerticalLayer NV=6 genVertHeightCoords=1 typeOfFirstFixedSurface=150 typeOfSecondFixedSurface=150
level 2/ soil typeOfFirstFixedSurface=151 typeOfSecondFixedSurface=255
level 2/ soilLayer typeOfFirstFixedSurface=151 typeOfSecondFixedSurface=151
level 2/ seaIce typeOfFirstFixedSurface=152 typeOfSecondFixedSurface=255
level 2/ seaIceLayer typeOfFirstFixedSurface=152 typeOfSecondFixedSurface=152
level 2/ depthBelowSea typeOfFirstFixedSurface=160 typeOfSecondFixedSurface=255
level 2/ oceanSurface scaleFactorOfFirstFixedSurface=0 scaledValueOfFirstFixedSurface=0 typeOfFirstFixedSurface=160 typeOfSecondFixedSurface=255
level 2/ depthBelowSeaLayer typeOfFirstFixedSurface=160 typeOfSecondFixedSurface=160
level 2/ oceanSurfaceToBottom typeOfFirstFixedSurface=160 typeOfSecondFixedSurface=9
level 2/ lakeBottom scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=162 typeOfSecondFixedSurface=255
level 2/ lakeBottom typeOfFirstFixedSurface=162 typeOfSecondFixedSurface=255
level 2/ mixingLayer scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=166 typeOfSecondFixedSurface=255
level 2/ mixingLayer typeOfFirstFixedSurface=166 typeOfSecondFixedSurface=255
level 2/ oceanModel typeOfFirstFixedSurface=168 typeOfSecondFixedSurface=255
level 2/ oceanModelLayer typeOfFirstFixedSurface=168 typeOfSecondFixedSurface=168
level 2/ mixedLayerDepthByDensity typeOfFirstFixedSurface=169 typeOfSecondFixedSurface=255
level 2/ mixedLayerDepthByTemperature typeOfFirstFixedSurface=170 typeOfSecondFixedSurface=255
level 2/ mixedLayerDepthByDiffusivity typeOfFirstFixedSurface=171 typeOfSecondFixedSurface=255
level 2/ snowTopOverIceOnWater typeOfFirstFixedSurface=173 typeOfSecondFixedSurface=255
level 2/ snowLayerOverIceOnWater typeOfFirstFixedSurface=173 typeOfSecondFixedSurface=175
level 2/ iceTopOnWater scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=174 typeOfSecondFixedSurface=255
level 2/ iceTopOnWater typeOfFirstFixedSurface=174 typeOfSecondFixedSurface=255
level 2/ iceLayerOnWater scaleFactorOfFirstFixedSurface=m scaleFactorOfSecondFixedSurface=m scaledValueOfFirstFixedSurface=m scaledValueOfSecondFixedSurface=m typeOfFirstFixedSurface=174 typeOfSecondFixedSurface=176
level 2/ iceLayerOnWater typeOfFirstFixedSurface=174 typeOfSecondFixedSurface=176
level 2/ iceTopUnderSnowOnWater typeOfFirstFixedSurface=175 typeOfSecondFixedSurface=255
level 2/ iceLayerUnderSnowOnWater typeOfFirstFixedSurface=175 typeOfSecondFixedSurface=176
level 2/ iceBottomOnWater typeOfFirstFixedSurface=176 typeOfSecondFixedSurface=255
level 2/ indefiniteSoilDepth typeOfFirstFixedSurface=177 typeOfSecondFixedSurface=255
level 2/ meltPondTop typeOfFirstFixedSurface=188 typeOfSecondFixedSurface=255
level 2/ meltPondBottom typeOfFirstFixedSurface=189 typeOfSecondFixedSurface=255
level 2/ entireMeltPond typeOfFirstFixedSurface=188 typeOfSecondFixedSurface=189
level 2/ iceLayerAboveWaterSurface scaleFactorOfSecondFixedSurface=0 scaledValueOfSecondFixedSurface=0 typeOfFirstFixedSurface=174 typeOfSecondFixedSurface=160
level 2/ waterSurfaceToIsothermalOceanLayer scaleFactorOfFirstFixedSurface=0 scaledValueOfFirstFixedSurface=0 typeOfFirstFixedSurface=160 typeOfSecondFixedSurface=20
level 2/ totalSoilLayer typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=151
level 2/ rootZone typeOfFirstFixedSurface=1 typeOfSecondFixedSurface=167
level 2/ roof typeOfFirstFixedSurface=185 typeOfSecondFixedSurface=255
level 2/ roofLayer typeOfFirstFixedSurface=185 typeOfSecondFixedSurface=185
level 2/ wall typeOfFirstFixedSurface=186 typeOfSecondFixedSurface=255
level 2/ wallLayer typeOfFirstFixedSurface=186 typeOfSecondFixedSurface=186
level 2/ road typeOfFirstFixedSurface=187 typeOfSecondFixedSurface=255
level 2/ roadLayer typeOfFirstFixedSurface=187 typeOfSecondFixedSurface=187
level 2/ urbanCanyon typeOfFirstFixedSurface=187 typeOfSecondFixedSurface=185
level 2/ abstractSingleLevel scaleFactorOfFirstFixedSurface=m scaledValueOfFirstFixedSurface=m typeOfFirstFixedSurface=191
level 2/ abstractMultipleLevels typeOfFirstFixedSurface=191
level 2/ unknown dummyc=1
step 1/ecmf instant timeRangeIndicator=0
step 1/ecmf instant timeRangeIndicator=10
step 1/ecmf instant timeRangeIndicator=1
step 1/ecmf instant timeRangeIndicator=14
step 1/ecmf avg timeRangeIndicator=3
step 1/ecmf avgd timeRangeIndicator=113
step 1/ecmf avgfc timeRangeIndicator=113
step 1/ecmf accum timeRangeIndicator=4
step 1/ecmf accum timeRangeIndicator=2
step 1/ecmf min centre=98 timeRangeIndicator=2
step 1/ecmf min timeRangeIndicator=119
step 1/ecmf max centre=98 timeRangeIndicator=2
step 1/ecmf max timeRangeIndicator=118
step 1/ecmf diff timeRangeIndicator=5
step 1/ecmf rms timeRangeIndicator=120
step 1/ecmf sd timeRangeIndicator=121
step 1/ecmf cov timeRangeIndicator=122
step 1/ecmf avgua timeRangeIndicator=123
step 1/ecmf avgia timeRangeIndicator=124
step 1/ecmf avgas timeRangeIndicator=128
step 1/ecmf avgad timeRangeIndicator=130
step 1/ecmf avgid timeRangeIndicator=133
step 1/edzw accum centre=78 indicatorOfParameter=57 table2Version=2 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=61 table2Version=2 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=78 table2Version=2 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=79 table2Version=2 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=90 table2Version=2 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=42 table2Version=201 timeRangeIndicator=0
step 1/edzw avg centre=78 indicatorOfParameter=111 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=112 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=113 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=114 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=111 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=112 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=113 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=114 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=121 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=122 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=124 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=125 table2Version=2 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=124 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=125 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=121 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=122 table2Version=2 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=5 table2Version=201 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=22 table2Version=201 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=23 table2Version=201 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=24 table2Version=201 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=5 table2Version=201 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=22 table2Version=201 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=23 table2Version=201 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=24 table2Version=201 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=231 table2Version=202 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=232 table2Version=202 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=233 table2Version=202 timeRangeIndicator=1
step 1/edzw avg centre=78 indicatorOfParameter=231 table2Version=202 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=232 table2Version=202 timeRangeIndicator=13
step 1/edzw avg centre=78 indicatorOfParameter=233 table2Version=202 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=102 table2Version=201 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=132 table2Version=201 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=132 table2Version=201 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=113 table2Version=201 timeRangeIndicator=0
step 1/edzw accum centre=78 indicatorOfParameter=102 table2Version=201 timeRangeIndicator=1
step 1/edzw accum centre=78 indicatorOfParameter=102 table2Version=201 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=61 table2Version=2 timeRangeIndicator=1
step 1/edzw accum centre=78 indicatorOfParameter=61 table2Version=2 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=78 table2Version=2 timeRangeIndicator=1
step 1/edzw accum centre=78 indicatorOfParameter=90 table2Version=2 timeRangeIndicator=1
step 1/edzw accum centre=78 indicatorOfParameter=113 table2Version=201 timeRangeIndicator=1
step 1/edzw accum centre=78 indicatorOfParameter=79 table2Version=2 timeRangeIndicator=1
step 1/edzw accum centre=78 indicatorOfParameter=90 table2Version=2 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=42 table2Version=201 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=57 table2Version=2 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=79 table2Version=2 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=113 table2Version=201 timeRangeIndicator=13
step 1/edzw accum centre=78 indicatorOfParameter=78 table2Version=2 timeRangeIndicator=13
step 1/edzw max centre=78 indicatorOfParameter=67 table2Version=202 timeRangeIndicator=2
step 1/edzw max centre=78 indicatorOfParameter=69 table2Version=202 timeRangeIndicator=2
step 1/edzw max centre=78 indicatorOfParameter=248 table2Version=202 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=243 table2Version=202 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=187 table2Version=201 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=187 table2Version=201 timeRangeIndicator=13
step 1/edzw max centre=78 indicatorOfParameter=15 table2Version=2 timeRangeIndicator=2
step 1/edzw max centre=78 indicatorOfParameter=15 table2Version=2 timeRangeIndicator=13
step 1/edzw min centre=78 indicatorOfParameter=16 table2Version=2 timeRangeIndicator=2
step 1/edzw min centre=78 indicatorOfParameter=16 table2Version=2 timeRangeIndicator=13
step 1/edzw max centre=78 indicatorOfParameter=15 table2Version=2 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=78 table2Version=202 timeRangeIndicator=0
step 1/edzw min centre=78 indicatorOfParameter=16 table2Version=2 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=187 table2Version=201 timeRangeIndicator=2
step 1/edzw max centre=78 indicatorOfParameter=55 table2Version=203 timeRangeIndicator=2
step 1/edzw min centre=78 indicatorOfParameter=56 table2Version=203 timeRangeIndicator=2
step 1/edzw max centre=78 indicatorOfParameter=15 table2Version=206 timeRangeIndicator=2
step 1/edzw min centre=78 indicatorOfParameter=16 table2Version=206 timeRangeIndicator=2
step 1/edzw max centre=78 indicatorOfParameter=67 table2Version=202 timeRangeIndicator=0
step 1/edzw min centre=78 indicatorOfParameter=68 table2Version=202 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=69 table2Version=202 timeRangeIndicator=0
step 1/edzw min centre=78 indicatorOfParameter=70 table2Version=202 timeRangeIndicator=0
step 1/edzw max centre=78 indicatorOfParameter=15 table2Version=2 timeRangeIndicator=1
step 1/edzw min centre=78 indicatorOfParameter=16 table2Version=2 timeRangeIndicator=1
step 1/edzw max centre=78 indicatorOfParameter=187 table2Version=201 timeRangeIndicator=1
step 1/edzw max centre=78 indicatorOfParameter=42 table2Version=201 timeRangeIndicator=1
step 1/edzw max centre=78 indicatorOfParameter=57 table2Version=2 timeRangeIndicator=1
step 1/edzw instant timeRangeIndicator=14
step 1/edzw instant timeRangeIndicator=1
step 1/edzw instant timeRangeIndicator=10
step 1/edzw instant centre=78 timeRangeIndicator=13
step 1/edzw instant centre=78 timeRangeIndicator=11
step 1/edzw instant centre=78 timeRangeIndicator=14
step 1/edzw avgfc timeRangeIndicator=113
step 1/edzw avgd timeRangeIndicator=113
step 1/edzw accum timeRangeIndicator=2
step 1/edzw accum timeRangeIndicator=4
step 1/edzw max timeRangeIndicator=118
step 1/edzw max centre=98 timeRangeIndicator=2
step 1/edzw min timeRangeIndicator=119
step 1/edzw min centre=98 timeRangeIndicator=2
step 1/edzw diff timeRangeIndicator=5
step 1/edzw rms timeRangeIndicator=120
step 1/edzw sd timeRangeIndicator=121
step 1/edzw cov timeRangeIndicator=122
step 1/edzw avgua timeRangeIndicator=123
step 1/edzw avgia timeRangeIndicator=124
step 1/edzw rms centre=78 indicatorOfParameter=1 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=2 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=3 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=4 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=5 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=6 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=7 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=8 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=9 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=10 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=11 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=12 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=13 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=14 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=15 table2Version=204
step 1/edzw rms centre=78 indicatorOfParameter=16 table2Version=204
step 1/edzw max centre=78 table2Version=208
step 1/edzw instant timeRangeIndicator=0
step 1/edzw max timeRangeIndicator=2
step 1/edzw min timeRangeIndicator=2
step 1/edzw avg timeRangeIndicator=3
step 1/edzw accum timeRangeIndicator=4
step 1/edzw diff timeRangeIndicator=5
step 1/rjtd instant timeRangeIndicator=1
step 1/rjtd instant timeRangeIndicator=10
step 1/rjtd instant timeRangeIndicator=0
step 1/rjtd avg timeRangeIndicator=3
step 1/rjtd avgfc timeRangeIndicator=113
step 1/rjtd avgd timeRangeIndicator=113
step 1/rjtd accum timeRangeIndicator=2
step 1/rjtd accum timeRangeIndicator=4
step 1/rjtd diff timeRangeIndicator=5
step 1/rjtd avgua timeRangeIndicator=123
step 1/rjtd avgia timeRangeIndicator=124
step 1/rjtd avgas timeRangeIndicator=128
step 1/rjtd avgad timeRangeIndicator=130
step 1/rjtd varas timeRangeIndicator=129
step 1/rjtd varad timeRangeIndicator=131
step 1/rjtd varins timeRangeIndicator=132
step 1/ instant timeRangeIndicator=0
step 1/ instant timeRangeIndicator=10
step 1/ instant timeRangeIndicator=1
step 1/ avg timeRangeIndicator=3
step 1/ avgd timeRangeIndicator=113
step 1/ avgfc timeRangeIndicator=113
step 1/ accum timeRangeIndicator=4
step 1/ accum timeRangeIndicator=2
step 1/ min centre=98 timeRangeIndicator=2
step 1/ min timeRangeIndicator=119
step 1/ max centre=98 timeRangeIndicator=2
step 1/ max timeRangeIndicator=118
step 1/ diff timeRangeIndicator=5
step 1/ avgua timeRangeIndicator=123
step 1/ avgia timeRangeIndicator=124
`
