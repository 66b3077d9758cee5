/* A session, its attempts, the rail, an operator, crashes and a restore: explored completely by spin (README.md).
 * Each atomic block is one transaction, one call or one answer; between two of them the worker may die. */
#define ATTEMPTS 2
/* With more, most simulations lose every call. */
#ifdef SIMULATION
#define CRASHES 1
#else
#define CRASHES 2
#endif

mtype = { created, processing, succeeded, failed };
mtype = { none, open, paid, ended };
mtype = { nothing, flying, charged, declined, silence };

/* The database, and an earlier copy of it. */
mtype session = created;
byte n = 0;
mtype row[ATTEMPTS] = none;
bool called[ATTEMPTS];
bool fenced = false;
mtype oldSession = created;
byte oldN = 0;
mtype oldRow[ATTEMPTS] = none;
bool oldCalled[ATTEMPTS];
/* A charge that came too late is recorded as given back. */
bool recorded[ATTEMPTS];
bool oldRecorded[ATTEMPTS];

/* The rail, and the time after which no call of an attempt can arrive any more. */
mtype rail[ATTEMPTS] = nothing;
bool over[ATTEMPTS];
bool returned[ATTEMPTS];
/* The network has made a second call of one, which may arrive after it, or instead of it. */
bool copy[ATTEMPTS];
/* Charges of an attempt, and returns of one: more than one only if a rule is missing. */
byte charges[ATTEMPTS];
byte returns[ATTEMPTS];

/* What is listed for a person. */
bool listed[ATTEMPTS];
/* Of the worker in a session, an operator's request, a return or a comparison. */
byte crashes = 0;
/* A worker is between the mark and the answer of a call. */
bool inCall = false;

#define CUR (n - 1)
#define HAS_OPEN (n > 0 && row[CUR] == open)
/* `notFound` is a no only when the call can no longer arrive (rule 4). */
#ifdef NOT_FOUND_IS_NO
#define IS_UNKNOWN_FOR_GOOD (rail[CUR] == nothing || rail[CUR] == flying)
#else
#define IS_UNKNOWN_FOR_GOOD (rail[CUR] == nothing && over[CUR])
#endif
#define IS_FINAL (session == succeeded || session == failed)

/* What a simulation prints, for the replay against the code: the step, its attempt, and the session after it. */
#define TELL(step, i) printf(step, i, session)

inline settle(i, outcome) {
  if
  :: row[i] == open && outcome == charged -> row[i] = paid; session = succeeded
  :: row[i] == open && outcome == declined ->
     row[i] = ended; if :: session == processing -> session = created :: else fi
  :: else /* the row is gone, or has ended: `reconcile` judges it */
  fi
}

active proctype Buyer() {
  byte clicks = 0;
  do
  :: atomic { clicks < 3 && !fenced && session == created && !HAS_OPEN && n < ATTEMPTS ->
       clicks++;
       /* No earlier attempt may still take money. */
       assert(n == 0 || (rail[0] != flying && !(rail[0] == nothing && copy[0]) && !(rail[0] == charged && !returned[0])));
       row[n] = open; called[n] = false; n++; session = processing; TELL("click %d %e\n", CUR) }
  od
}

active proctype Worker() {
  byte a; mtype heard; bool hasCopied = false;
adopt:
  inCall = false; heard = silence;
  do
  :: atomic { !fenced && HAS_OPEN && !called[CUR] ->
       a = CUR;
#ifndef NO_MARK
       called[a] = true;
#endif
       inCall = true }
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     atomic {
       if
       :: !over[a] ->
          /* Never what the rail knows or may still receive. */
          assert(rail[a] == nothing && !copy[a]);
          rail[a] = flying;
          if :: !hasCopied -> hasCopied = true; copy[a] = true :: skip fi
       :: else
       fi }
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     if
     :: atomic { rail[a] == charged || rail[a] == declined -> heard = rail[a] }
     :: heard = silence
     fi;
     inCall = false;
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     atomic { if :: heard != silence -> settle(a, heard); TELL("answer %d %e\n", a) :: else fi; heard = silence }
  :: atomic { !fenced && HAS_OPEN && called[CUR] && (rail[CUR] == charged || rail[CUR] == declined) ->
       a = CUR; heard = rail[a] }
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     atomic { settle(a, heard); TELL("look %d %e\n", a); heard = silence }
  :: atomic { !fenced && session == created && !HAS_OPEN -> session = failed; TELL("expire %d %e\n", 0) }
  :: atomic { !fenced && HAS_OPEN && called[CUR] && IS_UNKNOWN_FOR_GOOD ->
       a = CUR; settle(a, declined); TELL("neverSent %d %e\n", a) }
  od
}

active [ATTEMPTS] proctype Rail() {
  byte i = _pid - 2;
  do
  :: atomic { rail[i] == flying -> rail[i] = charged; charges[i]++; TELL("charged %d %e\n", i) }
  :: atomic { rail[i] == flying -> rail[i] = declined; TELL("declined %d %e\n", i) }
  :: atomic { rail[i] == flying -> rail[i] = nothing } /* lost on the way */
  :: atomic { copy[i] && rail[i] == nothing -> copy[i] = false; rail[i] = flying } /* the first was lost */
  :: atomic { copy[i] && rail[i] != flying && rail[i] != nothing -> copy[i] = false; TELL("repeated %d %e\n", i);
#ifdef CHARGES_AGAIN
       if :: rail[i] == charged -> charges[i]++ :: else fi
#endif
     }
  :: atomic { copy[i] -> copy[i] = false } /* lost as well */
#ifdef SIMULATION
  :: atomic { called[i] && !over[i] && rail[i] != flying && !copy[i] && !inCall -> over[i] = true }
#else
  :: atomic { called[i] && !over[i] && rail[i] != flying && !copy[i] -> over[i] = true }
#endif
  od
}

/* The request is a row, which a worker reads again after a crash. */
active proctype Operator() {
  byte i; mtype heard;
#ifdef SIMULATION
  /* Otherwise most simulations end with the operator, or before the call. */
  for (i : 1 .. 4) { skip }
#endif
  atomic { !fenced && HAS_OPEN && called[CUR] -> i = CUR }
ask:
  /* Asks the rail once more; its answer takes precedence. */
  atomic { !fenced -> heard = rail[i] }
  if :: atomic { crashes < CRASHES -> crashes++; goto ask } :: skip fi;
  atomic { !fenced ->
    if
    :: !(HAS_OPEN && CUR == i && called[i]) /* it was about another charge: refused (rule 44) */
    :: else ->
       if
       :: heard == charged -> settle(i, charged); TELL("resolveCharged %d %e\n", i)
       :: heard == declined -> settle(i, declined);
          if
          :: session = failed; TELL("resolveDeclined %d %e\n", i) /* as the operator said */
          :: TELL("resolveRefused %d %e\n", i) /* the operator said paid */
          fi
       :: else ->
          if
          :: row[i] = ended; session = failed; TELL("resolveFailed %d %e\n", i)
          :: listed[i] = true; row[i] = paid; session = succeeded; TELL("resolvePaid %d %e\n", i)
          fi
       fi
    fi }
}

#define IS_ORPHAN(i) (!fenced && row[i] == ended && rail[i] == charged && !recorded[i])

/* A webhook about a charge whose attempt has ended: it goes back. */
active proctype Reconcile() {
  byte i;
begin:
  do
  :: atomic { IS_ORPHAN(0) -> i = 0 } break
  :: atomic { IS_ORPHAN(1) -> i = 1 } break
  od;
  /* Reads again whether it is one: a restore may have adopted the charge as paid meanwhile (rule 29). */
#ifndef RETURNS_WHAT_WAS
  atomic { !fenced -> if :: !IS_ORPHAN(i) -> goto begin :: else fi;
#else
  atomic { !fenced ->
#endif
    /* The rail is asked what it has given back before it is told to (rule 34). */
#ifndef RETURNS_UNASKED
    if :: returned[i] -> goto record :: else fi;
#endif
    returned[i] = true; returns[i]++; TELL("returned %d %e\n", i) }
  if :: atomic { crashes < CRASHES -> crashes++; goto begin } :: skip fi;
record:
  atomic { if :: !fenced && row[i] == ended -> recorded[i] = true :: else fi };
  goto begin
}

#ifndef NO_RESTORE
active proctype Restore() {
  byte i;
  atomic { oldSession = session; oldN = n; oldRow[0] = row[0]; oldRow[1] = row[1];
           oldCalled[0] = called[0]; oldCalled[1] = called[1];
           oldRecorded[0] = recorded[0]; oldRecorded[1] = recorded[1] }
  atomic { session = oldSession; n = oldN; row[0] = oldRow[0]; row[1] = oldRow[1];
           called[0] = oldCalled[0]; called[1] = oldCalled[1];
           recorded[0] = oldRecorded[0]; recorded[1] = oldRecorded[1];
           /* A new call has a new deadline. */
           if :: !called[0] -> over[0] = false :: else fi;
           if :: !called[1] -> over[1] = false :: else fi;
#ifndef NO_FENCE
           fenced = true;
#endif
  }
#ifndef NO_FENCE
  /* Waits for the end of calls begun before the fence, and adopts what the rail lists, again after a crash. */
  atomic { !inCall && rail[0] != flying && rail[1] != flying && !copy[0] && !copy[1] -> i = 0 }
  do
  :: atomic { i < ATTEMPTS ->
      if
      :: rail[i] == charged && !returned[i] && row[i] != paid ->
         if :: n <= i -> n = i + 1 :: else fi;
         called[i] = true;
         if
         :: session != succeeded && session != failed -> row[i] = paid; session = succeeded
         :: else -> row[i] = ended
         fi
      :: returned[i] && row[i] == paid -> listed[i] = true /* the rail lists a refund without a row */
      :: (rail[i] == declined || returned[i]) && (row[i] == none || row[i] == open) ->
         if :: n <= i -> n = i + 1 :: else fi;
         called[i] = true; row[i] = ended;
         if :: session == processing && !HAS_OPEN -> session = created :: else fi
      :: else
      fi;
      i++ }
  :: atomic { i > 0 && crashes < CRASHES -> crashes++; i = 0 }
  :: atomic { i == ATTEMPTS -> fenced = false; break }
  od
#endif
}

#endif

/* When nothing can happen any more. */
active proctype Judge() {
  byte kept;
  timeout ->
  atomic {
    kept = 0;
    if :: rail[0] == charged && !returned[0] -> kept++ :: else fi;
    if :: rail[1] == charged && !returned[1] -> kept++ :: else fi;
    assert(IS_FINAL);
    assert(kept <= 1);
    assert(charges[0] <= 1 && charges[1] <= 1 && returns[0] <= 1 && returns[1] <= 1);
    assert(session != failed || kept == 0);
    assert(session != succeeded || kept == 1 || listed[0] || listed[1]) }
}
