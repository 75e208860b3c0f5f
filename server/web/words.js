/* All that the page says, in its languages. A row is [English, Polish]; what depends on a number
 * `n` is an object by the categories of Intl.PluralRules. */

export const LANGUAGES = [["en", "English"], ["pl", "Polski"]];
const LANGUAGE = "qttt.language";

export const WORDS = {
	page_title: ["qttt – quantum tic-tac-toe", "qttt – kwantowe kółko i krzyżyk"],
	skip: ["To the content", "Do treści"],
	rules: ["Rules", "Zasady"],
	players: ["Players", "Gracze"],
	close: ["Close", "Zamknij"],
	loading: ["One moment …", "Chwileczkę…"],

	lead: ["Noughts and crosses, except that a move is in two places at once.",
		"Kółko i krzyżyk, tyle że ruch jest w dwóch miejscach naraz."],
	lead_more: ["Marks stay spooky until they close a cycle. Then one measurement settles them.", "Znaki są upiorne, aż zamkną cykl. Wtedy ustala je jeden pomiar."],
	figure: ["Eight marks, none of them anywhere yet. O8 has closed a cycle: X puts it into 3 or 5.", "Osiem znaków, żaden nie ma jeszcze miejsca. O8 zamknął cykl: X stawia go na 3 albo 5."],
	play_anyone: ["Play whoever comes next", "Zagraj z kimkolwiek"],
	play_friend: ["Invite a friend by link", "Zaproś kogoś linkiem"],
	learn: ["Learn it in five pictures", "Zasady w pięciu obrazkach"],
	play_bot: ["Play a bot", "Zagraj z botem"],
	bot_random: ["Random", "Losowy"],
	bot_random_more: ["any move at all", "robi dowolny ruch"],
	bot_good: ["Good", "Dobry"],
	bot_good_more: ["can be beaten", "można go pokonać"],
	bot_perfect: ["Perfect", "Doskonały"],
	bot_perfect_more: ["gives nothing away", "niczego nie oddaje"],
	mine: ["Your games", "Twoje gry"],
	waiting_rooms: ["Waiting for an opponent", "Czekają na przeciwnika"],
	playing_rooms: ["Being played", "Trwające gry"],
	nobody_waits: ["Nobody waits just now.", "Nikt teraz nie czeka."],
	nobody_plays: ["Nobody plays just now.", "Nikt teraz nie gra."],
	new_game: ["Your own kind of game", "Gra na własnych warunkach"],
	opponent: ["Opponent", "Przeciwnik"],
	anyone: ["anyone, or a player’s name", "ktokolwiek albo nazwa gracza"],
	side: ["You play", "Grasz jako"],
	side_random: ["either side", "obojętnie"],
	side_x: ["X, who begins", "X, zaczynasz"],
	side_o: ["O", "O"],
	clock: ["Clock", "Zegar"],
	no_clock: ["no clock", "bez zegara"],
	room_name: ["Title, if you like", "Tytuł, jeśli chcesz"],
	private_more: ["Private: found only by the link", "Prywatna: tylko przez link"],
	create: ["Open the game", "Otwórz grę"],
	join: ["Join", "Dołącz"],
	watch: ["Watch", "Oglądaj"],
	go_on: ["Go on", "Graj dalej"],
	your_turn: ["Your turn", "Twój ruch"],
	move_n: ["move {n}", "ruch {n}"],
	watchers: [{one: "{n} watches", other: "{n} watch"},
		{one: "{n} widz", few: "{n} widzów", many: "{n} widzów", other: "{n} widza"}],

	no_name: ["No name yet", "Bez nazwy"],
	name_button: ["Your name: {name}", "Twoja nazwa: {name}"],
	your_name: ["Your name", "Twoja nazwa"],
	you_are: ["You are {name}.", "Jesteś {name}."],
	new_name: ["A new name: 2 to 20 letters, digits, - or _. Or the key of one that you have",
		"Nowa nazwa: od 2 do 20 liter, cyfr, - lub _. Albo klucz nazwy, którą masz"],
	take_name: ["Take it", "Przyjmij"],
	copy_key: ["Copy my key", "Skopiuj mój klucz"],
	key_copied: ["Copied. Keep it secret.", "Skopiowano. Zachowaj go dla siebie."],
	you: ["you", "ty"],

	connecting: ["Connecting …", "Łączenie…"],
	lost: ["No connection. Next try in {n} s.", "Brak połączenia. Kolejna próba za {n} s."],
	back_again: ["Connected again.", "Znowu połączono."],
	not_connected: ["Not connected just now.", "Chwilowo brak połączenia."],
	void_token: ["The server does not know you any more.", "Serwer już cię nie zna."],
	notice: ["From the operator: {text}", "Od operatora: {text}"],
	kicked: ["Closed by the operator, or your key or name was changed elsewhere.", "Rozłączył cię operator albo zmiana klucza lub nazwy gdzie indziej."],
	invited: ["{player} invites you to a game ({clock}).", "{player} zaprasza cię do gry ({clock})."],

	room_title: ["Room {room}", "Pokój {room}"],
	board: ["Board", "Plansza"],
	free_seat: ["free", "wolne"],
	away: ["away", "bez połączenia"],
	private: ["private", "prywatna"],
	moves: ["Moves", "Ruchy"],
	chat: ["Chat", "Rozmowa"],
	chat_line: ["Say something", "Powiedz coś"],
	chat_watchers: ["During the game only watchers read this.", "Podczas gry czytają to tylko widzowie."],
	send: ["Send", "Wyślij"],
	copy_link: ["Copy the link", "Skopiuj link"],
	link_copied: ["Link copied.", "Link skopiowany."],
	copy_by_hand: ["To copy by hand: {text}", "Do skopiowania ręcznie: {text}"],
	to_lobby: ["To the lobby", "Do poczekalni"],

	waiting: ["Waiting for an opponent. Whoever opens the link can join.", "Czekamy. Dołączy, kto otworzy link."],
	waiting_for: ["Waiting for {player}, who is invited.", "Czekamy na gracza {player}."],
	kept: ["The free seat is kept for {player}.", "Wolne miejsce czeka na gracza {player}."],
	invites: ["{player} waits for an opponent. You would be {seat}.", "{player} czeka na przeciwnika. Grasz jako {seat}."],
	pending: ["Sent …", "Wysłano…"],
	turn_first: ["Your move: {mark} goes into two squares. Which is the first?", "Twój ruch: {mark} na dwa pola. Które pierwsze?"],
	turn_second: ["{mark} in {square}, and where else?", "{mark} na polu {square}, a gdzie jeszcze?"],
	turn_last: ["Your move: only square {square} is left for {mark}.", "Twój ruch: dla {mark} zostało tylko pole {square}."],
	turn_measure: ["{mark} has closed a cycle, and you measure: does {mark} go to {a} or to {b}?", "{mark} zamknął cykl. Mierzysz ty: {mark} na pole {a} czy {b}?"],
	other_moves: ["{player} is to move: {mark}.", "Ruch gracza {player}: {mark}."],
	other_measures: ["{mark} has closed a cycle. {player} measures: {a} or {b}.",
		"{mark} zamknął cykl. Mierzy {player}: {a} albo {b}."],
	step_measured: ["measured: {mark} → {square}", "pomiar: {mark} → {square}"],
	square_empty: ["Square {square}, empty", "Pole {square}, puste"],
	square_spooky: ["Square {square}: {marks}, spooky", "Pole {square}: {marks}, upiorne"],
	square_classical: ["Square {square}: {mark}, settled", "Pole {square}: {mark}, ustalone"],
	gives: ["gives: {marks}", "daje: {marks}"],
	square_is_closed: ["Square {square} is closed.", "Pole {square} jest zamknięte."],
	unchosen: ["Nothing chosen.", "Nic nie wybrano."],
	low_time: ["Less than twenty seconds left.", "Zostało mniej niż dwadzieścia sekund."],

	offer_draw: ["Offer a draw", "Zaproponuj remis"],
	draw_offered: ["Draw offered", "Remis zaproponowany"],
	accept_draw: ["Accept the draw", "Przyjmij remis"],
	decline: ["Decline", "Odrzuć"],
	resign: ["Resign", "Poddaj się"],
	resign_sure: ["Really resign?", "Na pewno?"],
	abort: ["Call it off", "Odwołaj grę"],
	call_off: ["Close the room", "Zamknij pokój"],
	claim: ["Claim the win", "Zażądaj wygranej"],
	claim_in: ["Claim the win in {time}", "Wygrana do wzięcia za {time}"],
	rematch: ["Rematch", "Rewanż"],
	rematch_asked: ["Rematch asked", "Poproszono o rewanż"],
	accept_rematch: ["Accept the rematch", "Przyjmij rewanż"],
	next_game: ["To the next game", "Do następnej gry"],
	copy_record: ["Copy the record", "Skopiuj zapis"],
	record_copied: ["Record copied.", "Zapis skopiowany."],

	told_seated: ["{player} is {seat}.", "{player} gra jako {seat}."],
	told_started: ["The game begins: {X} is X, {O} is O.", "Gra się zaczyna: {X} to X, {O} to O."],
	told_moved: ["{player} put {mark} into {squares}.", "{player}: {mark} na pola {squares}."],
	told_collapsed: ["{player} measured: {marks}.", "{player} mierzy: {marks}."],
	if_chosen: ["If {player} chooses so: {marks}.", "Jeśli {player} tak wybierze: {marks}."],
	told_draw_offered: ["{player} offers a draw.", "{player} proponuje remis."],
	told_draw_declined: ["{player} declines.", "{player} odrzuca."],
	told_rematch_offered: ["{player} asks for a rematch.", "{player} prosi o rewanż."],
	told_ended: ["The game is over. {result}", "Koniec gry. {result}"],
	told_here: ["{player} is here again.", "{player} wraca."],
	told_away: ["{player} is away.", "{player} odchodzi."],

	result_line: ["{player} has the line {line} and wins, {X} to {O} (X to O).",
		"{player} ma linię {line} i wygrywa, {X} do {O} (X do O)."],
	result_both: ["Both have a line. That of {first}, {line1}, was finished with {last1}; that of {second}, {line2}, only with {last2}. The earlier earns 1, the later ½: X {X}, O {O}.", "Obie strony mają linię. {first}: {line1}, dopełnił ją {last1}; {second}: {line2}, dopiero {last2}. Wcześniejsza daje 1, późniejsza ½: X {X}, O {O}."],
	result_two: ["{first} has two lines: {line1}, finished with {last1}, earns 1; {line2}, only with {last2}, earns ½: X {X}, O {O}.", "{first} ma dwie linie: {line1}, dopełnił ją {last1}, daje 1; {line2}, dopiero {last2}, daje ½: X {X}, O {O}."],
	result_cross: ["{first} finished two lines with one mark, {last1}: {line1} and {line2}. Neither is the later, both earn 1: X {X}, O {O}.", "{first} jednym znakiem, {last1}, dopełnia dwie linie: {line1} i {line2}. Żadna nie jest późniejsza, obie dają 1: X {X}, O {O}."],
	result_full_board: ["The board is full without a line: a draw.", "Plansza pełna, linii nie ma: remis."],
	result_resign: ["{loser} resigned: {player} wins.", "{loser} się poddaje: wygrywa {player}."],
	result_flag: ["{loser} ran out of time: {player} wins.", "Graczowi {loser} skończył się czas: wygrywa {player}."],
	result_claim: ["{loser} stayed away: {player} wins.", "Gracza {loser} nie było: wygrywa {player}."],
	result_agreement: ["A draw was agreed.", "Remis za zgodą obojga."],
	cause_request: ["The game was called off.", "Gra odwołana."],
	cause_no_first_move: ["Called off: somebody did not begin.", "Odwołana: ktoś nie zaczął."],
	cause_untouched: ["Called off: nothing happened for too long.", "Odwołana: zbyt długo nic się nie działo."],
	cause_creator_left: ["The room is closed.", "Pokój zamknięty."],
	cause_declined: ["The invitation was declined.", "Zaproszenie odrzucone."],
	cause_operator: ["The operator ended the game.", "Grę zakończył operator."],

	replay: ["Replay", "Powtórka"],
	start: ["The start", "Początek"],
	step_back: ["One step back", "Krok wstecz"],
	step_on: ["One step on", "Krok dalej"],
	curve: ["The worth of each position: above the line for X, below for O", "Wartość pozycji: nad linią dla X, pod nią dla O"],
	worth_even: ["draw", "remis"],
	gave: ["gave away {value}", "oddano {value}"],
	gave_all: ["{player} gave away {value}.", "{player}: oddane {value}."],
	gave_nothing: ["{player} gave nothing away.", "{player}: nic nie oddane."],

	player: ["Player", "Gracz"],
	player_name: ["A player’s name", "Nazwa gracza"],
	find: ["Find", "Szukaj"],
	rating: ["Rating", "Ranking"],
	games: ["Rated games", "Gry rankingowe"],
	wins: ["Wins", "Wygrane"],
	draws: ["Draws", "Remisy"],
	losses: ["Losses", "Przegrane"],
	date: ["Date", "Data"],
	score: ["Score", "Wynik"],
	more: ["More", "Więcej"],
	invite: ["Invite to a game", "Zaproś do gry"],
	nobody_rated: ["Nobody has a settled rating yet.", "Nikt nie ma jeszcze ustalonego rankingu."],
	public: ["Games", "Gry"],
	no_games: ["No public games.", "Brak publicznych gier."],

	lesson_of: ["{n} of {all}", "{n} z {all}"],
	back: ["Back", "Wstecz"],
	next: ["Next", "Dalej"],
	pause: ["Pause", "Wstrzymaj"],
	play: ["Play", "Odtwarzaj"],
	to_play: ["Play a game", "Zagraj"],
	lesson1: ["A move is in two places", "Ruch jest w dwóch miejscach"],
	lesson1_text: ["A move puts one spooky mark into two squares: X1 is in both, and in neither for sure. The number says which move it was. X begins.", "Ruch stawia jeden upiorny znak na dwóch polach: X1 jest na obu, a na żadnym na pewno. Liczba mówi, który to ruch. Zaczyna X."],
	lesson2: ["Marks that meet are entangled", "Znaki, które się spotykają, są splątane"],
	lesson2_text: ["Many marks fit in a square. There they hang together: where one ends up will decide about the next. Three that only meet in one square decide nothing yet.", "Na polu zmieści się wiele znaków. Tam się splątują: miejsce jednego przesądzi o następnym. Trzy, które tylko spotykają się na jednym polu, niczego nie rozstrzygają."],
	lesson3: ["Until they close a cycle", "Aż zamkną cykl"],
	lesson3_text: ["O4 leads from 9 back to 1: the marks of 1, 5 and 9 form a ring. (Two marks in the same two squares are a ring as well.)", "O4 prowadzi z 9 z powrotem na 1: znaki z pól 1, 5 i 9 tworzą pierścień. (Dwa znaki na tych samych dwóch polach to też pierścień.)"],
	lesson4: ["The other player measures", "Mierzy drugi gracz"],
	lesson4_text: ["O closed the cycle, so X chooses where O4 goes. That forces all marks on the ring, and all that hang on it; their squares are closed for good. Then X moves.", "Cykl zamknął O, więc pole dla O4 wybiera X. To przesądza o znakach w pierścieniu i o tych, które od niego odchodzą; ich pola są zamknięte na dobre. Potem X wykonuje ruch."],
	lesson5: ["Three settled marks in a line", "Trzy ustalone znaki w linii"],
	lesson5_text: ["O8 has closed a cycle, and O gets a line either way. With O8 in the middle X gets one too: the line that was finished earlier earns 1, the other ½. Half a point is more than none.", "O8 zamknął cykl i O tak czy owak ma linię. Gdy O8 trafi na środek, linię ma też X: dopełniona wcześniej daje 1, druga ½. Pół punktu to więcej niż nic."],
	lesson_end: ["O was first: O6 before X7. O has 1, X ½.", "Pierwszy był O: O6 przed X7. O ma 1, X ½."],

	e_lost: ["The connection broke off: it may be done or not.", "Połączenie się zerwało: nie wiadomo, czy się udało."],
	e_bad_name: ["That can’t be a name.", "To nie może być nazwa."],
	e_bad_text: ["Empty, too long, or with forbidden characters.", "Puste, za długie albo z niedozwolonymi znakami."],
	e_name_taken: ["Somebody has that name.", "Ta nazwa jest zajęta."],
	e_bad_token: ["Nobody has that key.", "Nikt nie ma takiego klucza."],
	e_no_such_player: ["There is no such player.", "Nie ma takiego gracza."],
	e_no_such_room: ["There is no such room (any more).", "Nie ma (już) takiego pokoju."],
	e_room_full: ["That seat is taken.", "To miejsce jest zajęte."],
	e_game_over: ["The game is over.", "Gra jest skończona."],
	e_stale: ["That does not fit the position any more.", "To już nie pasuje do pozycji."],
	e_too_early: ["It is too early for that.", "Na to jeszcze za wcześnie."],
	e_not_allowed: ["That is not allowed here.", "Tego tu nie wolno."],
	e_rate_limited: ["Not so fast.", "Nie tak szybko."],
	e_too_many_rooms: ["You have too many games.", "Masz za dużo gier."],
	e_too_many_connections: ["Too many connections.", "Za dużo połączeń."],
	e_server_full: ["The server is full.", "Serwer jest pełny."],
	e_unavailable: ["It could not be stored: nothing happened. Try again.", "Nie udało się zapisać: nic się nie stało. Spróbuj znowu."],
	e_other: ["The server refused ({code}).", "Serwer odmówił ({code})."],
};

/* What a page asks for only when the game has gone on meanwhile. */
export const STALE = new Set(["collapse_first", "nothing_to_collapse", "square_taken", "same_square", "not_a_choice",
	"not_your_turn", "not_started", "no_offer", "too_late", "not_in_room", "not_seated"]);

const stored = () => {
	try {
		return localStorage.getItem(LANGUAGE);
	} catch {
		return null;
	}
};

/* The first language that one reads and the page speaks. */
export function best(wanted) {
	const codes = LANGUAGES.map(([code]) => code);
	return (wanted || []).map((tag) => tag.toLowerCase().split("-")[0]).find((code) => codes.includes(code)) || codes[0];
}

let current = best([stored(), ...globalThis.navigator?.languages || []].filter(Boolean));

export const language = () => current;

export function choose(code, isKept = true) {
	current = best([code]);
	if (isKept) localStorage.setItem(LANGUAGE, current);
}

/* The words for a key, with {names} replaced; "" if there are none. */
export function t(key, data = {}) {
	const row = WORDS[key];
	if (!row) return "";
	let words = row[LANGUAGES.findIndex(([code]) => code === current)];
	if (typeof words === "object") words = words[new Intl.PluralRules(current).select(data.n)] ?? words.other;
	return words.replace(/\{(\w+)\}/g, (_, name) => data[name] ?? "");
}

/* Points as people write them. */
export const half = (value) => value % 1 ? `${value > 1 ? Math.floor(value) : ""}½` : `${value}`;

export const tellRefusal = ({code, retry_ms}) => {
	const words = t(`e_${STALE.has(code) ? "stale" : code}`) || t("e_other", {code});
	return retry_ms ? `${words} (${Math.ceil(retry_ms / 1000)} s)` : words;
};
